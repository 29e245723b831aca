"""Values of properties and actions: schemas, scales, units, options, and amounts in their terms."""
