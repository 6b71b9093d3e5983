"""What an install brings: all that runs, nothing that does not."""

from __future__ import annotations

import subprocess
import sys
import zipfile

import pytest

from tests.house.sources import PACKAGE, ROOT


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        return set(content.namelist())


def test_a_wheel_holds_all_that_runs(shipped):
    kinds = {".py", ".sql", ".typed"}
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in kinds or path.parent.name == "static"
    }

    assert wanted - shipped == set()


def test_a_wheel_holds_no_sources_of_the_bundle_and_no_tests(shipped):
    tops = {name.partition("/")[0] for name in shipped}

    assert not [name for name in shipped if name.startswith("weavenb/widgets/js/")]
    assert {top for top in tops if not top.endswith(".dist-info")} == {"weavenb"}
    assert any(name.endswith("licenses/LICENSE") for name in shipped)
