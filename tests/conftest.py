"""What all tests share: chance that is the same each time."""

from __future__ import annotations

import hypothesis

# The same examples each run: a red test is red for everybody, and a slow machine is no failure.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.load_profile("same")
