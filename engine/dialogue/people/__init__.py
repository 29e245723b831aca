"""Talk of the facts known of people: told, shown, offered, missing, forgotten."""
