"""A real JupyterLab, a real kernel and a real Chromium.

::

    def test_a_click_counts(notebook):
        nb = notebook(["import ipywidgets", "button = ipywidgets.Button(description='go')"])
        nb.run_all()
        nb.output(1).get_by_role("button", name="go").click()
        nb.wait_kernel("clicks == 1")

One server, one browser and one JupyterLab page serve all tests; a notebook and its kernel are each
test's own. A failing test leaves a picture, the console and the server's log in tests/_artifacts/.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from tests.browser.notebook import ARTIFACTS, NotebookInPage, View
from tests.browser.server import PATIENCE, JupyterServer

OpenNotebook = Callable[..., NotebookInPage]

WINDOW = (1280, 900)
NO_CHROMIUM = (
    "There is no Chromium on this machine. `make test` installs it as root on Debian; elsewhere "
    "install it, or set CHROMIUM to its path. WEAVENB_BROWSER=0 leaves these tests out, not in CI."
)
CHROMIUM_FLAGS = (
    "--no-sandbox",  # the sandbox refuses root
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)
LAB_IS_UP = "() => window.jupyterapp && window.jupyterapp.restored.then(() => true)"
COLLAPSE_SIDEBAR = """() => {
  const shell = window.jupyterapp.shell;
  if (!shell.leftCollapsed) shell.collapseLeft();
}"""


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    server = JupyterServer(tmp_path_factory.mktemp("jupyter"))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        pytest.fail(NO_CHROMIUM, pytrace=False)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_FLAGS), headless=True)
        yield started
        started.close()


def new_context(browser: Browser, window: tuple[int, int]) -> BrowserContext:
    width, height = window
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1000)
    return context


@pytest.fixture(scope="session")
def lab_page(jupyter: JupyterServer, browser: Browser) -> Iterator[Page]:
    """JupyterLab, loaded once; tests open and close their notebooks in it."""
    context = new_context(browser, WINDOW)
    page = context.new_page()
    page.goto(f"{jupyter.url}/lab?reset&token={jupyter.token}", wait_until="commit")
    page.wait_for_function(LAB_IS_UP)
    page.evaluate(COLLAPSE_SIDEBAR)
    yield page
    context.close()


def write_notebook(source: Path | Sequence[str], path: Path, trusted_by: NotebookNotary | None) -> None:
    """A notebook of these cells, or a copy of a stored one; signed when somebody trusts it."""
    if isinstance(source, Path):
        content = nbformat.read(source, as_version=4)
    else:
        content = new_notebook(
            cells=[new_code_cell(cell) for cell in source],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
    nbformat.write(content, path)
    if trusted_by is not None:
        trusted_by.sign(nbformat.read(path, as_version=4))


@pytest.fixture
def notebook(jupyter: JupyterServer, browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenNotebook]:
    """Opens notebooks, given cells or a path.

    `view="notebook"` is Notebook 7; `window=(width, height)` and views other than the lab get a
    page of their own. `trust=False` shows stored outputs as a stranger's.
    """
    title = re.sub(r"\W+", "-", request.node.name).strip("-")
    opened: list[NotebookInPage] = []

    def make(
        source: Path | Sequence[str],
        *,
        view: View = "lab",
        window: tuple[int, int] | None = None,
        trust: bool = True,
    ) -> NotebookInPage:
        path = jupyter.notebooks / f"{title}-{len(opened)}.ipynb"
        notary = NotebookNotary(data_dir=str(jupyter.data)) if trust else None
        write_notebook(source, path, notary)
        own_page = window is not None or view != "lab"
        if own_page:
            page = new_context(browser, window or WINDOW).new_page()
        else:
            page = request.getfixturevalue("lab_page")
            page.set_viewport_size({"width": WINDOW[0], "height": WINDOW[1]})
        found = NotebookInPage(jupyter, page, path, own_page=own_page)
        opened.append(found)
        found.open(view)
        if not own_page:
            found.set_theme("light")
        return found

    yield make

    failed = request.node.stash.get(FAILED, False)
    for number, one in enumerate(opened):
        if failed:
            leave_traces(one, ARTIFACTS / title, number, jupyter.log)
        one.close()


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def leave_traces(opened: NotebookInPage, folder: Path, number: int, log: Path) -> None:
    """What helps to understand a failure that nobody watched."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        opened.page.screenshot(path=folder / f"{number}.png")
    except Error as error:
        opened.console.append(f"no picture: {error}")
    (folder / f"{number}.console.txt").write_text("\n".join(opened.console), encoding="utf-8")
    shutil.copy(log, folder / "jupyter.log")
