"""Build hook: a wheel depends on the packages that hold the large weights; a checkout has them."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEIGHTS = ["seminar-weights~=0.1.0", "seminar-weights-reader~=0.1.0"]


class WeightsDependencies(BuildHookInterface):
    """Adds the weights packages to the dependencies of every wheel that is not editable."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["dependencies"].extend(WEIGHTS)
