"""How the house is built, as a test: who may import whom, and how large a room may grow."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "commonplace"

# Lowest first. A module imports from the rows above its own, never from its own row or below.
# A package counts as one module here; inside it, only circles are forbidden.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "ids", "record", "secrets", "stopwords"),
    ("checks", "text", "trace"),
    ("scope", "near"),
    ("memory", "project"),
    ("config", "codec", "events", "indexing", "query"),
    ("rank", "why"),
    ("ports",),
    ("lifecycle", "models", "recall", "store", "uses"),
    ("intake", "wiring"),
    ("care", "parse", "reading", "transfer"),
    ("book",),
    ("commonplace",),
    ("cli",),
    ("__main__",),
)

# Who may name a store or a model by its class; the command that manages packs knows packs, not embedders.
NAME_CONCRETE_CLASSES = {
    "commonplace.wiring": ("commonplace.store", "commonplace.models"),
    "commonplace.cli.commands.models": ("commonplace.models",),
}

# Other people's packages, and the one place for each.
BORDERS = {
    "apsw": ("commonplace.store.sqlite",),
    "numpy": ("commonplace.models.local", "commonplace.store.vector_cache"),
    "onnxruntime": ("commonplace.models.local",),
    "re2": ("commonplace.secrets.border",),
    "rich": ("commonplace.cli",),
    "shtab": ("commonplace.cli.commands.completion",),
    "Stemmer": ("commonplace.text",),
}
NAMES_ON_THE_INDEX = {"re2": "google-re2", "Stemmer": "PyStemmer"}

READ_THE_ENVIRONMENT = {
    "commonplace.config": "the one reader of settings",
    "commonplace.cli.output": "NO_COLOR and TERM describe the terminal, not the book",
}
DOORS = {"commonplace.cli.run": "what nobody expected still ends in one sentence and an exit code"}
SLOW_IMPORTS = ("numpy", "onnxruntime", "rich", "re2")
DRAWERS = {"utils", "util", "helpers", "helper", "manager", "service", "common", "misc", "base"}

FILE_LINES = 400
FUNCTION_LINES = 60
PARAMETERS = 9
LARGER_FILES: dict[str, int] = {}


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


def walk(module: str, kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(tree(module)) if isinstance(node, kind))


@cache
def imports(module: str) -> tuple[tuple[str, int], ...]:
    """Every module it imports, wherever in the file, for typing only or not, with the line."""
    found: list[tuple[str, int]] = []
    for node in walk(module, (ast.Import, ast.ImportFrom)):
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


EVERY = pytest.mark.parametrize("module", sorted(modules()))


# -- who imports whom -------------------------------------------------------------------------


def test_every_module_has_its_row() -> None:
    rows = [name for row in LAYERS for name in row]
    assert sorted({room(module) for module in modules()}) == sorted(rows)


@EVERY
def test_imports_point_one_way(module: str) -> None:
    height = {name: place for place, row in enumerate(LAYERS) for name in row}
    own = room(module)
    upwards = {
        other for other in ours(module) if room(other) != own and height[room(other)] >= height[own]
    }  # fmt: skip
    assert upwards == set()


def test_no_imports_run_in_a_circle() -> None:
    """Those inside functions and those for typing count too: a hidden circle is still one."""
    finished: set[str] = set()

    def follow(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in finished:
            for other in sorted(ours(module)):
                if not module.startswith(f"{other}."):  # a package names what it shows of its modules
                    follow(other, (*path, module))
            finished.add(module)

    for module in modules():
        follow(module, ())


@EVERY
def test_only_the_wiring_names_stores_and_models(module: str) -> None:
    concrete = ("commonplace.store", "commonplace.models")
    if within(module, concrete):
        return
    allowed = NAME_CONCRETE_CLASSES.get(module, ())
    assert {other for other in ours(module) if within(other, concrete) and not within(other, allowed)} == set()


@EVERY
def test_nobody_imports_the_command_line(module: str) -> None:
    if module == "commonplace.__main__" or within(module, ("commonplace.cli",)):
        return
    assert {other for other in ours(module) if within(other, ("commonplace.cli",))} == set()


@EVERY
def test_the_rules_for_secrets_stand_alone(module: str) -> None:
    if within(module, ("commonplace.secrets",)):
        assert {other for other in ours(module) if not within(other, ("commonplace.secrets",))} == set()


@EVERY
def test_other_peoples_packages_are_imported_in_one_place_each(module: str) -> None:
    for name, line in imports(module):
        top = name.split(".")[0]
        if top in ("commonplace", *sys.stdlib_module_names):
            continue
        assert top in BORDERS, f"{module}:{line} imports {top}, which is not a dependency we know"
        assert within(module, BORDERS[top]), f"{module}:{line} imports {top}: that belongs to {BORDERS[top]}"


def test_the_dependencies_are_those_that_are_imported() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {entry.split(">")[0].split("=")[0].strip() for entry in declared}
    assert names == {NAMES_ON_THE_INDEX.get(name, name) for name in BORDERS}


@EVERY
def test_there_is_one_sqlite_in_the_process(module: str) -> None:
    """A second library on the same file drops the locks of the first."""
    assert {name for name, _ in imports(module) if name.split(".")[0] == "sqlite3"} == set()


# -- late imports -----------------------------------------------------------------------------


@EVERY
def test_an_import_inside_a_function_says_why(module: str) -> None:
    """On its line, above it, or for a whole package in the first words of the package."""
    package = module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
    while package:
        if "imports inside functions" in " ".join((ast.get_docstring(tree(package)) or "").split()):
            return
        package = package.rpartition(".")[0]
    lines = modules()[module].read_text(encoding="utf-8").splitlines()
    for function in walk(module, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                above = node.lineno - 2
                while lines[above].strip().startswith(("import ", "from ")):
                    above -= 1
                beside = lines[node.lineno - 1 : node.end_lineno]
                explained = lines[above].strip().startswith("#") or any("#" in line for line in beside)
                assert explained, f"{modules()[module]}:{node.lineno} imports late and does not say why"


@pytest.mark.parametrize("module", ["commonplace", "commonplace.reading", "commonplace.book"])
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


# -- the size of things -----------------------------------------------------------------------


def test_no_file_is_longer_than_it_may_be() -> None:
    lengths = {
        str(path.relative_to(PACKAGE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in modules().values()
    }
    long = {name: length for name, length in lengths.items() if length > LARGER_FILES.get(name, FILE_LINES)}
    assert long == {}
    assert {name for name in LARGER_FILES if lengths.get(name, 0) <= FILE_LINES} == set(), "no longer needed"


@EVERY
def test_functions_are_short_and_take_few_things(module: str) -> None:
    for node in walk(module, (ast.FunctionDef, ast.AsyncFunctionDef)):
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        assert length <= FUNCTION_LINES, f"{module}.{node.name} has {length} lines"
        given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        count = len([each for each in given if each.arg not in ("self", "cls")])
        assert count <= PARAMETERS, f"{module}.{node.name} takes {count} parameters"


# -- manners ----------------------------------------------------------------------------------


@EVERY
def test_a_module_opens_with_what_lives_there(module: str) -> None:
    assert ast.get_docstring(tree(module)), f"{module} does not say what it is for"


@EVERY
def test_no_module_is_a_drawer(module: str) -> None:
    assert set(module.split(".")) & DRAWERS == set()


@EVERY
def test_a_broad_except_raises_again_or_is_a_door(module: str) -> None:
    for node in walk(module, ast.ExceptHandler):
        assert isinstance(node, ast.ExceptHandler)
        caught = {each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)} if node.type else {"Exception"}
        if caught & {"Exception", "BaseException"} and module not in DOORS:
            assert isinstance(node.body[-1], ast.Raise), f"{module}:{node.lineno} swallows everything"


@EVERY
def test_the_environment_is_read_in_one_place(module: str) -> None:
    if module in READ_THE_ENVIRONMENT:
        return
    for node in walk(module, ast.Attribute):
        assert isinstance(node, ast.Attribute)
        assert node.attr not in ("environ", "environb", "getenv"), f"{module}:{node.lineno} reads the environment"


@EVERY
def test_only_the_command_line_prints(module: str) -> None:
    if within(module, ("commonplace.cli",)):
        return
    for node in walk(module, ast.Call):
        assert isinstance(node, ast.Call)
        assert not (isinstance(node.func, ast.Name) and node.func.id == "print"), f"{module}:{node.lineno} prints"


@EVERY
def test_nothing_reads_the_clock_but_the_clock(module: str) -> None:
    """Expiry, decay and record times come from the clock that is passed in. Timing a stage is not time."""
    if module == "commonplace.ids":
        return
    for node in walk(module, ast.Attribute):
        assert isinstance(node, ast.Attribute)
        assert node.attr not in ("time_ns", "now", "utcnow", "today") or not _is_a_clock(node), (
            f"{module}:{node.lineno}"
        )


def _is_a_clock(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("time", "datetime", "date")


@EVERY
def test_assertions_are_for_tests(module: str) -> None:
    """They vanish with -O: what must hold is checked with an error of ours."""
    assert [node.lineno for node in walk(module, ast.Assert)] == []  # type: ignore[attr-defined]
