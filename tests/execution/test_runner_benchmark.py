"""How long a plan of ten actions takes to be checked, compiled, run and reported (make bench)."""

from __future__ import annotations


def test_ten_idempotent_actions(benchmark, make_home, t, outcomes) -> None:
    tree = t.parallel("complete_all", *(t.ensure(f"lamp{number}", 40) for number in range(10)))
    steps = [t.step(f"lamp{number}", 40) for number in range(10)]
    done = benchmark(lambda: make_home().run(tree, *steps))
    assert set(outcomes(done).values()) == {"done"}
    assert done.ticks == 1


def test_a_thousand_idempotent_actions_take_a_hundred_times_as_long(benchmark, make_home, t) -> None:
    tree = t.parallel("complete_all", *(t.ensure(f"lamp{number}", 40) for number in range(1000)))
    steps = [t.step(f"lamp{number}", 40) for number in range(1000)]
    done = benchmark.pedantic(lambda: make_home().run(tree, *steps), rounds=3)
    assert len(done.actions) == 1000
    assert done.success
