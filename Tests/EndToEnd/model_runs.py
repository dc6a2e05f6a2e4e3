"""How models run: so many cases as a test says, or for `FOOTBRIDGE_MODEL_MINUTES`, each with another seed."""

import os
import time
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.internal.conjecture import engine
from hypothesis.stateful import run_state_machine_as_test

from footbridge_process import LONG
from short_form import SEED

MINUTES = float(os.environ.get("FOOTBRIDGE_MODEL_MINUTES", "0"))
#: How long a case that fails is shortened, in seconds. Then the shortest one so far is reported. Hypothesis has a time of its own, which no
#: setting changes.
SHORTENING = 60
#: For the slowest machine. A failure is reported sooner than that.
timeout_of_models = pytest.mark.timeout(900 + 60 * MINUTES)


class Wait:
    """How long a model waits for what must come, in seconds: long, but once it has not come, no longer while the case is shortened."""

    seconds = LONG

    @classmethod
    def for_(cls, wait):
        """Waits: `wait` gets the number of seconds, and returns whether it has come."""
        if not wait(cls.seconds):
            cls.seconds = min(cls.seconds, 2)


def run_model(machine, runs, steps):
    """Runs cases of a machine, each with up to so many steps. Fails with the shortest case in which model and server differ."""
    end = time.monotonic() + 60 * MINUTES
    number = SEED
    while True:
        seeded = seed(number)(type(machine.__name__, (machine,), {}))
        try:
            with mock.patch.object(engine, "MAX_SHRINKING_SECONDS", SHORTENING):
                run_state_machine_as_test(seeded, settings=settings(
                    max_examples=runs, stateful_step_count=steps, deadline=None, database=None, print_blob=False,
                    phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck)))
        except BaseException as problem:
            problem.add_note(f"FOOTBRIDGE_TEST_SEED={number} repeats it.")
            raise
        if time.monotonic() >= end:
            return
        number += 1
