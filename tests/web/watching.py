"""What a browser does besides showing the page: whom it asks, what runs, what the policy had to stop."""

import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page

LISTENING = """
addEventListener("securitypolicyviolation", (event) =>
  noteViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
for (const name of ["alert", "confirm", "prompt", "print", "open"])
  window[name] = () => noteDialog(name);
"""
PATIENCE_SECONDS = 60
OF_A_REFUSAL = "Failed to load resource"  # what the browser says itself about an answer that is an error


class Watch:
    """Everything of one browser context that should not have happened, and every address it asked."""

    def __init__(self, context: BrowserContext) -> None:
        self.fired: list[object] = []
        self.violations: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        self.asked: list[str] = []
        context.expose_binding("canary", lambda source, *given: self.fired.append(given))
        context.expose_binding("noteViolation", lambda source, said: self.violations.append(said))
        context.expose_binding("noteDialog", lambda source, said: self.dialogs.append(said))
        context.add_init_script(LISTENING)
        context.on("request", lambda request: self.asked.append(request.url))
        context.on("dialog", self._dismiss)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("console", self._hear)

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and OF_A_REFUSAL not in message.text:
            self.errors.append(message.text)

    def strangers(self, own: Iterable[str]) -> list[str]:
        """Addresses that were asked and belong to none of these origins."""
        known = {urlsplit(each).netloc for each in own}
        return [url for url in self.asked if urlsplit(url).netloc not in known and not url.startswith("about:")]

    def check(self, *own: str) -> None:
        """Fails if anything ran, opened, was stopped by the policy, went wrong, or asked another than our own."""
        assert self.fired == []
        assert self.dialogs == []
        assert self.violations == []
        assert self.strangers(own) == []
        assert self.errors == []


def noticed(page: Page, so: Callable[[], object], otherwise: str) -> None:
    """Until something is so that the browser tells by itself; fails with these words if it does not come to be."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not so():
        assert time.monotonic() < until, otherwise
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(done))"
        )  # what it has to tell arrives meanwhile
