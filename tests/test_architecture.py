"""How the house is built, as a test: who may import whom, and how large a room may grow."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from commonplace import errors
from commonplace.dialects import NATIVE, dialect_names
from commonplace.domain.scope import Principal

Node = TypeVar("Node", bound=ast.AST)

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "commonplace"

# Lowest first. A module imports from the rows above its own, never from its own row or below.
# A package counts as one module here; inside it, only circles are forbidden.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "text"),
    ("deadline", "domain"),
    ("http_client", "secrets", "workspace"),
    ("ports",),
    ("config",),
    ("engine", "models", "setup", "store"),
    ("wiring", "sessions", "documents", "decisions", "teams"),
    ("dream", "maintenance"),
    ("imports",),
    ("book",),
    ("commonplace", "dialect", "hooks"),
    ("dialects",),
    ("api",),
    ("serve",),
    ("cli",),
    ("__main__",),
)

# Who may name a store or a model by its class; the command that manages packs knows packs, not embedders.
NAME_CONCRETE_CLASSES = {
    "commonplace.wiring": ("commonplace.store", "commonplace.models"),
    "commonplace.cli.commands.models": ("commonplace.models",),
    "commonplace.cli.commands.setup": ("commonplace.models",),
}

# Other people's packages, and the one place for each.
BORDERS = {
    "anyio": ("commonplace.serve",),
    "apsw": ("commonplace.store.sqlite", "commonplace.sessions.transcripts.opencode"),
    "jwt": ("commonplace.serve.issuer_keys", "commonplace.serve.oauth"),
    "mcp": ("commonplace.serve",),
    "mcp_types": ("commonplace.serve",),
    "numpy": ("commonplace.models.local", "commonplace.models.sentence_encoder", "commonplace.store.vector_cache"),
    "onnxruntime": ("commonplace.models.local",),
    "prometheus_client": ("commonplace.serve.metrics",),
    "psycopg": ("commonplace.store.postgres",),
    "psycopg_pool": ("commonplace.store.postgres",),
    "pydantic": ("commonplace.api", "commonplace.dialect", "commonplace.dialects", "commonplace.serve"),
    "re2": ("commonplace.secrets.regex",),
    "rich": ("commonplace.cli",),
    "shtab": ("commonplace.cli.commands.completion",),
    "starlette": ("commonplace.serve",),
    "Stemmer": ("commonplace.text",),
    "tomlkit": ("commonplace.config", "commonplace.setup.toml_text"),
    "typing_extensions": ("commonplace.api", "commonplace.dialects"),
    "uvicorn": ("commonplace.serve.listening",),
}
NAMES_ON_THE_INDEX = {
    "jwt": "PyJWT[crypto]",
    "mcp_types": "mcp-types",
    "prometheus_client": "prometheus-client",
    "typing_extensions": "typing-extensions",
    "re2": "google-re2",
    "Stemmer": "PyStemmer",
    "psycopg": "psycopg[binary]",
    "psycopg_pool": "psycopg-pool",
}
HELD_ABOVE = {"cryptography", "h11", "protobuf", "Pygments", "python-multipart"}  # brought by others, with a floor
EXTRAS = {"psycopg": "postgres", "psycopg_pool": "postgres"}  # what is needed only by those who ask for it

READ_THE_ENVIRONMENT = {
    "commonplace.config": "the one reader of settings",
    "commonplace.cli.output": "NO_COLOR and TERM describe the terminal, not the book",
    "commonplace.hooks.at_prompt": "writes one variable, the only way to keep numpy from making threads for one query",
    "commonplace.hooks.door": "CURSOR_VERSION tells which host it is, not what is set",
    "commonplace.hooks.transcripts": "hosts say with theirs where their transcripts are",
    "commonplace.models.local": "writes one variable, the only way to keep onnxruntime from reporting to its maker",
}
DOORS = {
    "commonplace.cli.nuzo.memory": "Nuzo's contract has a code of its own for what nobody expected",
    "commonplace.cli.run": "what nobody expected still ends in one sentence and an exit code",
    "commonplace.hooks.door": "what nobody expected is noted for status, and the host is not disturbed",
    "commonplace.serve.background": "what nobody expected is logged, and the next task gets its turn",
    "commonplace.serve.calls": "what nobody expected is logged, and the server goes on",
    "commonplace.serve.protocol": "what nobody expected is logged, and the server goes on",
}
THE_PERSON_HERE = {
    "commonplace.engine.caller": "a book without a name for its person",
    "commonplace.maintenance.doctor": "who purged what a back-up brought back; no right is asked of them",
    "commonplace.book.reader": "the person who opens a book",
    "commonplace.serve.background": "upkeep, as the person whose server it is",
    "commonplace.serve.http": "the person at this machine, while there is no token",
    "commonplace.teams.teams": "only to check a name",
}
"""Who may make a principal that has every right and team unless it is said otherwise."""
CONTRACTS = ("aleph", "nuzo", "onelamp", "ownsona", "snipara")
NAME_CONTRACTS = {
    **{f"dialects/{name}": "the contract itself" for name in CONTRACTS},
    "cli/aleph": "its command line",
    "cli/nuzo": "its command line",
    "cli/commands/__init__.py": "the table of commands has theirs too",
    "cli/commands/mcp.py": "an example of a dialect to serve",
    "cli/commands/serve.py": "an example of dialects to serve",
    "cli/commands/setup.py": "setup makes a contract's own command too",
}
"""Which files and folders may know published contracts by name. Our own dialect is not among them."""
SLOW_IMPORTS = ("numpy", "onnxruntime", "psycopg", "rich", "re2", "pydantic", "mcp", "tomlkit")
DRAWERS = {"utils", "util", "helpers", "helper", "manager", "service", "common", "misc", "base"}

FILE_LINES = 500
FUNCTION_LINES = 60
PARAMETERS = 9
LARGER_FILES: dict[str, int] = {"engine/recall.py": 600}  # the stages of one path, in their order


# -- reading the source -----------------------------------------------------------------------


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def docstring(module: str) -> str:
    return ast.get_docstring(tree(module)) or ""


@cache
def imports(module: str) -> tuple[tuple[str, int], ...]:
    """Every module it imports, wherever in the file, for typing only or not, with the line."""
    found: list[tuple[str, int]] = []
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno} imports relatively"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.append((whole if whole in modules() else str(node.module), node.lineno))
    return tuple(found)


def ours(module: str) -> set[str]:
    return {name for name, _ in imports(module) if name in modules()}


def room(module: str) -> str:
    """Its row's name for a module: the part after the package's own name, or the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def within(module: str, places: tuple[str, ...]) -> bool:
    return any(module == place or module.startswith(f"{place}.") for place in places)


def places(kind: type[Node], *, outside: Container[str] = ()) -> Iterator[tuple[str, Node]]:
    """Every node of a kind with `module:line`, but for the modules left out."""
    for module in modules():
        if module not in outside:
            for node in ast.walk(tree(module)):
                if isinstance(node, kind):
                    yield f"{module}:{node.lineno}", node


# -- who imports whom -------------------------------------------------------------------------


def test_every_module_has_its_row() -> None:
    rows = [name for row in LAYERS for name in row]
    assert sorted({room(module) for module in modules()}) == sorted(rows)


def test_imports_point_one_way() -> None:
    height = {name: place for place, row in enumerate(LAYERS) for name in row}
    upwards = [
        f"{module} -> {other}"
        for module in modules()
        for other in sorted(ours(module))
        if room(other) != room(module) and height[room(other)] >= height[room(module)]
    ]
    assert upwards == []


def test_no_imports_run_in_a_circle() -> None:
    """Those inside functions and those for typing count too: a hidden circle is still one."""
    beyond = {
        # What a module takes from its own package is no step in a circle: a package shows its modules.
        module: {other for other in ours(module) if not module.startswith(f"{other}.")}
        for module in modules()
    }

    def reached(module: str) -> set[str]:
        found: set[str] = set()
        waiting = list(beyond[module])
        while waiting:
            other = waiting.pop()
            if other not in found:
                found.add(other)
                waiting += beyond[other]
        return found

    assert [module for module in modules() if module in reached(module)] == []


def test_only_the_wiring_names_stores_and_models() -> None:
    concrete = ("commonplace.store", "commonplace.models")
    named = [
        f"{module} -> {other}"
        for module in modules()
        for other in sorted(ours(module))
        if within(other, concrete)
        and not within(module, concrete)
        and not within(other, NAME_CONCRETE_CLASSES.get(module, ()))
    ]
    assert named == []


def test_nobody_imports_the_command_line() -> None:
    line = ("commonplace.cli",)
    users = {module for module in modules() if any(within(other, line) for other in ours(module))}
    assert {module for module in users if not within(module, line)} == {"commonplace.__main__"}


def test_the_rules_for_secrets_stand_alone() -> None:
    """But for two leaves that know nothing of them: Unicode's normal forms, and how long a call may take."""
    own = ("commonplace.secrets",)
    others = {other for module in modules() if within(module, own) for other in ours(module)}
    assert {other for other in others if not within(other, own)} == {
        "commonplace.deadline",
        "commonplace.text.normal_forms",
    }


def test_other_peoples_packages_are_imported_in_one_place_each() -> None:
    strayed = []
    for module in modules():
        for name, line in imports(module):
            top = name.split(".")[0]
            if top not in ("commonplace", *sys.stdlib_module_names) and not within(module, BORDERS.get(top, ())):
                strayed.append(f"{module}:{line} imports {top}")
    assert strayed == []


def test_the_dependencies_are_those_that_are_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra in ("", *EXTRAS.values()):
        names = {re.split(r"[>=]", entry)[0].strip() for entry in declared[extra]}
        imported = {name for name in BORDERS if EXTRAS.get(name, "") == extra}
        expected = {NAMES_ON_THE_INDEX.get(name, name) for name in imported}
        assert names == (expected if extra else expected | HELD_ABOVE)


def test_there_is_one_sqlite_in_the_process() -> None:
    """A second library on the same file drops the locks of the first."""
    assert [module for module in modules() if any(name.split(".")[0] == "sqlite3" for name, _ in imports(module))] == []


# -- contracts --------------------------------------------------------------------------------


def contracts_named() -> dict[str, list[str]]:
    """The places that name a contract, in whatever they hold: names, texts, comments, data, their own path."""
    named = re.compile("|".join(CONTRACTS), re.IGNORECASE)
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            place = path.relative_to(PACKAGE).as_posix()
            lines = [place, *path.read_text(encoding="utf-8").splitlines()]
            at = [f"{place}:{number}" for number, line in enumerate(lines) if named.search(line)]
            if at:
                found[place] = at
    return found


def may_name_contracts(place: str) -> bool:
    return any(place == known or place.startswith(f"{known}/") for known in NAME_CONTRACTS)


def test_the_core_names_no_contract() -> None:
    """What one contract has for itself (plans, files, variables, a ranking) is data that its dialect brings."""
    assert sorted(CONTRACTS) == sorted(set(dialect_names()) - {NATIVE})
    found = contracts_named()
    assert [line for place, lines in found.items() if not may_name_contracts(place) for line in lines] == []
    needed = {known for known in NAME_CONTRACTS for place in found if place == known or place.startswith(f"{known}/")}
    assert needed == NAME_CONTRACTS.keys(), "no longer needed"


# -- late imports -----------------------------------------------------------------------------


def test_an_import_inside_a_function_says_why() -> None:
    """On its line, above it, or for a whole package in the first words of the package."""
    silent = []
    for module, path in modules().items():
        if allows_late_imports(module):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for function in ast.walk(tree(module)):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                late = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
                silent += [f"{module}:{node.lineno}" for node in late if not explained(node, lines)]
    assert silent == []


def allows_late_imports(module: str) -> bool:
    package = module
    while package:
        if package != "commonplace" and "imports inside functions" in " ".join(docstring(package).split()):
            return True
        package = package.rpartition(".")[0]
    return False


def explained(node: ast.Import | ast.ImportFrom, lines: list[str]) -> bool:
    above = node.lineno - 2
    while lines[above].strip().startswith(("import ", "from ")):
        above -= 1
    beside = lines[node.lineno - 1 : node.end_lineno]
    return lines[above].strip().startswith("#") or any("#" in line for line in beside)


@pytest.mark.parametrize("module", ["commonplace", "commonplace.book.reader", "commonplace.book.book"])
def test_importing_the_book_loads_nothing_slow(module: str) -> None:
    script = f"import sys, {module}; print(*sorted(set({SLOW_IMPORTS!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == ""


def test_nobody_from_outside_has_a_right_that_was_not_said() -> None:
    """Tokens and claims become a principal by `Principal.bearer`, which takes nothing for granted."""
    made = {
        place.rpartition(":")[0]
        for place, call in places(ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == "Principal"
    }
    assert made == THE_PERSON_HERE.keys()
    parameters = inspect.signature(Principal.bearer).parameters.values()
    assert [each.name for each in parameters] == list(Principal.fields)
    assert all(each.default is inspect.Parameter.empty for each in parameters)


# -- the size of things -----------------------------------------------------------------------


def test_no_file_is_longer_than_it_may_be() -> None:
    lengths = {
        str(path.relative_to(PACKAGE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in modules().values()
    }
    long = {name: length for name, length in lengths.items() if length > LARGER_FILES.get(name, FILE_LINES)}
    assert long == {}
    assert {name for name in LARGER_FILES if lengths.get(name, 0) <= FILE_LINES} == set(), "no longer needed"


def test_functions_are_short() -> None:
    long = [
        f"{place} {node.name} has {length} lines"
        for place, node in places(ast.FunctionDef)
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    ]
    assert long == []


def test_functions_take_few_things() -> None:
    greedy = []
    for place, node in places(ast.FunctionDef):
        given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        count = len([each for each in given if each.arg not in ("self", "cls")])
        if count > PARAMETERS:
            greedy.append(f"{place} {node.name} takes {count}")
    assert greedy == []


# -- manners ----------------------------------------------------------------------------------


def test_a_module_opens_with_what_lives_there() -> None:
    assert [module for module in modules() if not docstring(module)] == []


def test_no_module_is_a_drawer() -> None:
    assert [module for module in modules() if set(module.split(".")) & DRAWERS] == []


def test_the_core_is_synchronous() -> None:
    found = [place for place, _ in places(ast.AsyncFunctionDef)]
    assert [place for place in found if not place.startswith("commonplace.serve.")] == []


def test_a_broad_except_raises_again_or_is_a_door() -> None:
    swallowed = []
    for place, node in places(ast.ExceptHandler, outside=DOORS):
        names = {each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)} if node.type else {"Exception"}
        if names & {"Exception", "BaseException"} and not isinstance(node.body[-1], ast.Raise):
            swallowed.append(place)
    assert swallowed == []


def test_the_environment_is_read_in_one_place() -> None:
    readers = places(ast.Attribute, outside=READ_THE_ENVIRONMENT)
    assert [place for place, node in readers if node.attr in ("environ", "environb", "getenv")] == []


def test_only_the_command_line_prints() -> None:
    calls = [place for place, node in places(ast.Call) if isinstance(node.func, ast.Name) and node.func.id == "print"]
    assert [place for place in calls if not place.startswith("commonplace.cli.")] == []


def test_nothing_reads_the_clock_but_the_clock() -> None:
    """Expiry, decay and record times come from the clock that is passed in. Timing a stage is not time."""
    clocks = [
        place
        for place, node in places(ast.Attribute, outside=("commonplace.engine.caller",))
        if node.attr in ("time", "time_ns", "now", "utcnow", "today")
        and isinstance(node.value, ast.Name)
        and node.value.id in ("time", "datetime", "date")
    ]
    assert clocks == []


def test_assertions_are_for_tests() -> None:
    """They vanish with -O: what must hold is checked with an error of ours."""
    assert [place for place, _ in places(ast.Assert)] == []


def test_every_error_is_in_the_picture_of_them() -> None:
    """And in the picture at its place: the tree is drawn by hand and must not drift."""
    drawn = [line for line in docstring("commonplace.errors").splitlines() if "── " in line]
    names = [line.split("── ")[1].split()[0] for line in drawn]
    classes = [node.name for node in tree("commonplace.errors").body if isinstance(node, ast.ClassDef)]
    assert sorted(["CommonplaceError", *names]) == sorted(classes)
    codes = [each.code for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(codes) == len(set(codes))


def test_every_error_is_raised_somewhere() -> None:
    used = {node.id for _, node in places(ast.Name, outside=("commonplace.errors",))}
    leaves = {name for name, each in vars(errors).items() if isinstance(each, type) and not each.__subclasses__()}
    assert sorted(leaves - used - {"ClassVar"}) == []


# -- what a name promises ---------------------------------------------------------------------


Function = ast.FunctionDef | ast.AsyncFunctionDef
EMPTY_WORDS = {"a", "an", "function", "get", "gets", "method", "of", "return", "returns", "the", "this"}


@cache
def classes() -> dict[str, tuple[str, ast.ClassDef]]:
    """Every class at the top of a module, by its whole name, with the module."""
    return {
        f"{module}.{node.name}": (module, node)
        for module in modules()
        for node in tree(module).body
        if isinstance(node, ast.ClassDef)
    }


def methods(node: ast.ClassDef) -> dict[str, Function]:
    """Its methods by name; of a property with a setter, and of overloads, the first: there stands the promise."""
    found: dict[str, Function] = {}
    for each in node.body:
        if isinstance(each, Function):
            found.setdefault(each.name, each)
    return found


def named_in(module: str, name: str) -> str:
    """The whole name of what a module calls by a short one, followed through the packages that pass it on."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module in modules():
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return named_in(node.module, alias.name)
    return f"{module}.{name}"


@cache
def bases(whole: str) -> tuple[str, ...]:
    """Every class of ours it is made from, the nearest first, and `Protocol` or `NamedTuple` where it is one."""
    module, node = classes()[whole]
    found: list[str] = []
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0]
        above = named_in(module, name)
        found += [above, *bases(above)] if above in classes() else [name]
    return tuple(found)


def members(whole: str) -> dict[str, Function]:
    """Its methods, and those it has from the classes it is made from."""
    found: dict[str, Function] = {}
    for each in (whole, *bases(whole)):
        if each in classes():
            found = methods(classes()[each][1]) | found
    return found


def attributes(whole: str) -> set[str]:
    """What can be asked of an instance: methods, fields, and whatever the class or a method of it gives a name."""
    found: set[str] = set(members(whole))
    for each in (whole, *bases(whole)):
        if each not in classes():
            continue
        class_ = classes()[each][1]
        for node in class_.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        stored = (node for node in ast.walk(class_) if isinstance(node, ast.Attribute))
        found |= {node.attr for node in stored if isinstance(node.ctx, ast.Store)}
    return found


@cache
def stands_for(whole: str) -> tuple[str, ...]:
    """The protocols whose members a class has, all of them and taking the same things.

    An engine does not name the socket that it fits into, and a short name in common is not yet a promise.
    """
    own, known = members(whole), attributes(whole)
    return tuple(
        each
        for each in classes()
        if "Protocol" in bases(each) and each != whole
        if attributes(each) <= known
        if all(parameters(own[name]) == parameters(model) for name, model in members(each).items() if name in own)
    )


def parameters(function: Function) -> list[str]:
    given = function.args
    return [each.arg for each in given.posonlyargs + given.args + given.kwonlyargs]


def promised_elsewhere(whole: str, name: str) -> bool:
    """By the docstring of a method of the same name in a class above, or in a protocol that the class stands for."""
    above = [members(each).get(name) for each in (*bases(whole), *stands_for(whole)) if each in classes()]
    return any(model is not None and ast.get_docstring(model) for model in above)


def public_functions() -> Iterator[tuple[str, Function]]:
    """Every function and method that others may call, but for those whose promise stands elsewhere.

    Of names with two underscores only a protocol's count: there they are the promise itself.
    """
    for module in modules():
        for node in tree(module).body:
            if isinstance(node, Function) and not node.name.startswith("_"):
                yield f"{module}:{node.lineno} {node.name}", node
    for whole, (module, class_) in classes().items():
        is_protocol = "Protocol" in bases(whole)
        for name, method in methods(class_).items():
            hidden = not is_protocol and (class_.name.startswith("_") or name.startswith("_"))
            field = "NamedTuple" in bases(whole) and "property" in map(ast.unparse, method.decorator_list)
            if not hidden and not field and not promised_elsewhere(whole, name):
                yield f"{module}:{method.lineno} {class_.name}.{name}", method


def test_every_public_function_states_its_promise() -> None:
    assert [place for place, node in public_functions() if not ast.get_docstring(node)] == []


def test_a_promise_says_more_than_the_name() -> None:
    repeated = []
    for place, node in public_functions():
        said = set(re.findall(r"[a-z]+", (ast.get_docstring(node) or "").lower()))
        if said and said <= EMPTY_WORDS | set(node.name.split("_")):
            repeated.append(place)
    assert repeated == []


# -- the tests themselves ---------------------------------------------------------------------


LET_THROUGH = "what is refused raises: that it does not is the claim"
ASSERTED_ELSEWHERE = {
    "domain/test_scope.py test_the_local_principal_may_do_everything": LET_THROUGH,
    "domain/test_validation.py test_what_can_be_stored_is_let_through": LET_THROUGH,
    "domain/test_validation.py test_the_longest_text_is_let_through": LET_THROUGH,
    "domain/test_validation.py test_other_labels_are_let_through": LET_THROUGH,
    "domain/test_validation.py test_as_many_tags_as_allowed_are_let_through": LET_THROUGH,
    "domain/test_validation.py test_the_ends_of_a_share_are_shares": LET_THROUGH,
    "domain/test_validation.py test_the_ends_of_time_are_times": LET_THROUGH,
    "domain/test_validation.py test_other_reasons_are_let_through": LET_THROUGH,
    "book/test_state_machine.py test_every_verb_agrees_with_the_model_on_postgresql_too": "the machine's rules assert",
    "teams/test_teams.py test_whatever_members_do_nobody_else_sees_it_and_nothing_is_lost": "`House.check` asserts",
}
"""Tests without an assertion of their own that can fail all the same, each with how."""
MAY_SLEEP = {"waiting.py wait_until", "waiting.py stays"}


@cache
def suite() -> dict[str, ast.Module]:
    """Every file of the tests by its path, parsed."""
    root = Path(__file__).parent
    paths = sorted(root.rglob("*.py"))
    return {path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def functions_of(path: str) -> Iterator[Function]:
    return (node for node in ast.walk(suite()[path]) if isinstance(node, Function))


@cache
def all_tests() -> tuple[tuple[str, Function], ...]:
    """Every test with its name, as `path name`."""
    files = [path for path in suite() if path.rpartition("/")[2].startswith("test_")]
    return tuple(
        (f"{path} {node.name}", node) for path in files for node in functions_of(path) if node.name.startswith("test_")
    )


def called(node: ast.AST) -> set[str]:
    """The names of the functions, not methods, that are called in it."""
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    return {each.id for each in calls if isinstance(each, ast.Name)}


def _last_name(node: ast.expr) -> str:
    """`raises` of `raises` and of `pytest.raises`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def expects(node: ast.AST) -> bool:
    """Whether it is a call such as `pytest.raises(…)`, which fails a test by itself."""
    return isinstance(node, ast.Call) and _last_name(node.func) in ("raises", "warns", "fail")


@cache
def helpers_that_assert() -> frozenset[str]:
    """The names of functions of the tests that assert, or call one that does."""
    functions = [node for path in suite() for node in functions_of(path)]
    found = {node.name for node in functions if _has_assertion(node)}
    others = [(node.name, called(node)) for node in functions if node.name not in found]
    while more := {name for name, calls in others if name not in found and calls & found}:
        found |= more
    return frozenset(found)


def _has_assertion(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Assert) or expects(each) for each in ast.walk(node))


def certain(body: list[ast.stmt]) -> bool:
    """Whether something is asserted on every way through; a loop is taken to have something to go over."""
    return any(_asserts(statement) for statement in body)


def _asserts(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert():
            return True
        case ast.If():
            return certain(statement.body) and certain(statement.orelse)
        case ast.Match():
            return all(certain(case.body) for case in statement.cases)
        case ast.For() | ast.AsyncFor() | ast.While():
            return certain(statement.body)
        case ast.With() | ast.AsyncWith():
            given = [item.context_expr for item in statement.items]
            return any(map(expects, given)) or (not any(map(hides, given)) and certain(statement.body))
        case ast.Try():
            caught = all(certain(handler.body) for handler in statement.handlers)
            return certain(statement.finalbody) or (caught and certain(statement.body + statement.orelse))
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return False
        case _:
            return bool(called(statement) & helpers_that_assert())


def hides(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _last_name(node.func) == "suppress"


def outside_of_inner_functions(function: Function) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def test_every_test_asserts_something_whatever_way_it_takes() -> None:
    silent = {name for name, test in all_tests() if not certain(test.body)}
    assert silent == ASSERTED_ELSEWHERE.keys()


def test_no_test_is_over_before_its_end() -> None:
    """Nor is an assertion hidden where its failing, or what comes before it, would be let pass."""
    early = {
        f"{name}, line {node.lineno}"
        for name, test in all_tests()
        for node in outside_of_inner_functions(test)
        if isinstance(node, ast.Return)
        or (isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant | ast.Tuple))
        or (isinstance(node, ast.ExceptHandler) and all(isinstance(each, ast.Pass) for each in node.body))
        or (
            isinstance(node, ast.With) and any(hides(item.context_expr) for item in node.items) and _has_assertion(node)
        )
    }
    assert early == set()


def test_a_test_uses_what_it_takes() -> None:
    """What is wanted for its effect alone stands in `usefixtures`, where it claims nothing."""
    unused = {
        f"{name}: {each.arg}"
        for name, test in all_tests()
        for each in test.args.posonlyargs + test.args.args + test.args.kwonlyargs
        if each.arg not in {node.id for node in ast.walk(test) if isinstance(node, ast.Name)} | {"self"}
    }
    assert unused == set()


def test_a_test_says_that_it_returns_nothing() -> None:
    untold = [name for name, test in all_tests() if test.returns is None or ast.unparse(test.returns) != "None"]
    assert untold == []


def test_tests_wait_for_something_and_in_one_place() -> None:
    """Time that only passes makes a test slow on one machine and wrong on the next."""
    sleepers = {
        f"{path} {function.name}"
        for path in suite()
        for function in functions_of(path)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and _last_name(node.func) == "sleep"
    }
    assert sleepers == MAY_SLEEP
