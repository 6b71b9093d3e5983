"""One notebook, open in one page, with a kernel of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import ConsoleMessage, Error, Locator, Page

from tests.browser.kernel import KernelLink
from tests.browser.server import JupyterServer

Theme = Literal["light", "dark"]
View = Literal["lab", "notebook"]

ARTIFACTS = Path(__file__).resolve().parents[1] / "_artifacts"
ADDRESSES: dict[View, str] = {"lab": "lab/tree", "notebook": "notebooks"}
THEMES: dict[Theme, str] = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
CURRENT = "window.jupyterapp.shell.currentWidget"
FRONT_END = ("/static/lab/", "/static/notebook/")

IS_OPEN = """path => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  const kernel = panel?.sessionContext?.session?.kernel;
  return panel?.context?.path === path && panel.context.isReady
    && kernel?.connectionStatus === "connected";
}"""
KERNEL_ANSWERS = f"""async () => {{
  const session = {CURRENT}.sessionContext;
  await session.ready;
  await session.session.kernel.info;
}}"""
IS_IDLE = f"""() => {CURRENT}.sessionContext.session.kernel.status === "idle"
  && {CURRENT}.content.widgets.every(
    cell => cell.model.type !== "code" || cell.model.executionState !== "running")"""
# A change of theme hides the page behind a splash for a moment.
IS_DRAWN_IN = """name => document.body.dataset.jpThemeName === name
  && !document.getElementById("jupyterlab-splash")"""
COMMAND = """([name, args]) => window.jupyterapp.commands.execute(name, args).then(() => null)"""
# A clean model is disposed without a question to the reader.
DISPOSE = """path => {
  for (const panel of [...window.jupyterapp.shell.widgets("main")])
    if (panel.context?.path === path) { panel.context.model.dirty = false; panel.dispose(); }
  document.querySelectorAll(".jp-Dialog").forEach(dialog => dialog.remove());
}"""


class NotebookInPage:
    """Runs, looks at and asks one notebook."""

    def __init__(self, server: JupyterServer, page: Page, path: Path, *, own_page: bool) -> None:
        self.page = page
        self.path = path
        self.errors: list[str] = []
        """What scripts threw, those of the front end itself left out."""
        self.console: list[str] = []
        """All that the page said, for the report of a failure."""
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        self._server = server
        self._name = path.relative_to(server.notebooks).as_posix()
        self._own_page = own_page
        self._link: KernelLink | None = None
        page.on("console", self._heard)
        page.on("pageerror", self._thrown)

    # ------------------------------------------------------------ open and close
    def open(self, view: View) -> NotebookInPage:
        if self._own_page:
            address = f"{self._server.url}/{ADDRESSES[view]}/{self._name}"
            query = f"?reset&token={self._server.token}"
            self.page.goto(address + query, wait_until="commit")
        else:
            self.command("docmanager:open", path=self._name, factory="Notebook")
        self.page.wait_for_function(IS_OPEN, arg=self._name)
        # From here on a request to run is not queued behind the kernel's start.
        self.page.evaluate(KERNEL_ANSWERS)
        return self

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
        for session in self._sessions():
            self._server.api(f"/api/sessions/{session['id']}", "DELETE")
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._thrown)
        if self._own_page:
            self.page.context.close()
        else:
            self.page.evaluate(DISPOSE, self._name)

    # ------------------------------------------------------------ run
    def command(self, name: str, **arguments: object) -> None:
        """A command of JupyterLab's; returns when it is done."""
        self.page.evaluate(COMMAND, [name, arguments])

    def run_all(self) -> NotebookInPage:
        """Runs every cell; fails at the first output that is an error."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(IS_IDLE)
        for number, cell in enumerate(self.cells()):
            for output in cell.get("outputs", ()):
                told = f"cell {number}: {output.get('ename')}: {output.get('evalue')}"
                assert output["output_type"] != "error", told
        return self

    def cells(self) -> list[dict[str, Any]]:
        """The cells as the page holds them, in the notebook format."""
        found: list[dict[str, Any]] = self.page.evaluate(f"() => {CURRENT}.content.model.toJSON().cells")
        return found

    # ------------------------------------------------------------ look
    def cell(self, number: int) -> Locator:
        return self.panel.locator(".jp-Notebook-cell").nth(number)

    def output(self, number: int) -> Locator:
        """The outputs of cell `number`, markdown cells counted."""
        return self.cell(number).locator(".jp-OutputArea-output")

    def set_theme(self, theme: Theme) -> None:
        """Switches JupyterLab's own theme, and waits until it is drawn."""
        self.command("apputils:change-theme", theme=THEMES[theme])
        self.page.wait_for_function(IS_DRAWN_IN, arg=THEMES[theme])

    def set_output_width(self, number: int, width: int) -> float:
        """Sizes the window until the output of a cell has `width` pixels; returns what it has."""
        output = self.output(number).last
        for _ in range(3):
            place, window = output.bounding_box(), self.page.viewport_size
            assert place is not None, f"cell {number} shows no output"
            assert window is not None, "the page has no fixed size"
            missing = round(width - place["width"])
            if not missing:
                break
            self.page.set_viewport_size({"width": window["width"] + missing, "height": window["height"]})
            self.page.wait_for_timeout(100)
        place = output.bounding_box()
        return place["width"] if place else 0.0

    def screenshot(self, name: str, of: Locator | None = None) -> Path:
        """A picture in the ignored folder, for people to look at."""
        path = ARTIFACTS / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        (of or self.page).screenshot(path=path)
        return path

    # ------------------------------------------------------------ ask the kernel
    @property
    def link(self) -> KernelLink:
        if self._link is None:
            kernel = self._sessions()[0]["kernel"]["id"]
            self._link = KernelLink(self._server.runtime / f"kernel-{kernel}.json")
        return self._link

    def kernel(self, expression: str) -> Any:
        """The value of an expression in the kernel, through JSON."""
        return self.link.value(expression)

    def wait_kernel(self, expression: str) -> Any:
        """The value once it is true."""
        return self.link.wait_for(expression, self.page.wait_for_timeout)

    # ------------------------------------------------------------ inside
    def _sessions(self) -> list[dict[str, Any]]:
        return [s for s in self._server.api("/api/sessions") if s["path"] == self._name]

    def _heard(self, message: ConsoleMessage) -> None:
        self.console.append(f"{message.type}: {message.text}")

    def _thrown(self, error: Error) -> None:
        stack = error.stack or str(error)
        self.console.append(f"pageerror: {stack}")
        if not any(place in stack for place in FRONT_END):
            self.errors.append(stack)
