"""The sources of the page: nothing in them makes markup, code or style of a text, and their types hold."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from commonplace.text import visible
from tests.conftest import NOT_RUN

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "src" / "commonplace" / "page"
NODE = ROOT / ".node"
COMPILERS = tuple(NODE / place / "node_modules" / ".bin" / "tsc" for place in ("", "page"))
OLDEST_NODE = 20
FILE_LINES = 500
COMPILER_SECONDS = 120

MODULES = sorted(PAGE.glob("*.js"))
STYLES = sorted(PAGE.glob("*.css"))
FILES = sorted(path for path in PAGE.iterdir() if path.is_file())

# Each with a line that it has to find.
FORBIDDEN = {
    r"\.(?:inner|outer)HTML\b": "node.innerHTML = memory.text;",
    r"\binsertAdjacentHTML\b": "node.insertAdjacentHTML('beforeend', text);",
    r"\bdocument\.write": "document.writeln(text);",
    r"\bcreateContextualFragment\b": "range.createContextualFragment(text)",
    r"\bDOMParser\b": "new DOMParser().parseFromString(text, 'text/html')",
    r"\b(?:set|parse)HTML(?:Unsafe)?\b": "node.setHTMLUnsafe(text);",
    r"\bsrcdoc\b": "frame.srcdoc = text;",
    r"\beval\s*\(": "eval(text)",
    r"\bFunction\s*\(": "new Function(text)",
    r"\bset(?:Timeout|Interval)\(\s*[\"'`]": "setTimeout('go()', 1)",
    r"\bimport\s*\(": "await import(text)",
    r"\bcssText\b|\.style\s*=|[\"']style[\"']": "node.setAttribute('style', text);",
    r"\.(?:href|src|action)\s*=[^=]": "link.href = memory.source;",
    r"setAttribute(?:NS)?\(\s*[\"'](?:on|href|src|xlink)": "node.setAttribute('onclick', text)",
    r"\bjavascript:": "'javascript:' + text",
    r"\bwindow\.open\b|\blocation\.(?:href|assign|replace)\b|\blocation\s*=[^=]": "location.assign(text)",
    r"\bpostMessage\b|\bdocument\.cookie\b": "document.cookie = half;",
    r"\btrustedTypes\b": "trustedTypes.createPolicy('all', {})",
}
NAMESPACE = "http://www.w3.org/2000/svg"


def without_comments(source: str) -> str:
    """The code alone: what a comment says does nothing."""
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", source, flags=re.DOTALL)


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_a_way_from_text_to_markup_code_or_style_is_taken_by_no_module(pattern: str) -> None:
    assert re.search(pattern, FORBIDDEN[pattern])
    found = [path.name for path in MODULES if re.search(pattern, without_comments(path.read_text(encoding="utf-8")))]
    assert not found


def test_elements_are_made_in_few_places() -> None:
    made = {path.name for path in MODULES if "createElement" in without_comments(path.read_text(encoding="utf-8"))}
    assert made == {"dom.js", "icons.js"}


def test_nothing_names_another_place() -> None:
    for path in FILES:
        source = path.read_text(encoding="utf-8").replace(NAMESPACE, "")
        assert not re.search(r"https?://|[\"'(]//[a-z]|@import\s+(?:url|[\"'])", source), path.name


def test_the_shell_has_no_code_and_no_style_of_its_own() -> None:
    shell = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<iframe|<object|<base|<form", shell)
    assert re.findall(r"<script(.*?)>(.*?)</script>", shell, re.DOTALL) == [(' type="module" src="/page/main.js"', "")]


def test_the_shell_names_every_module_and_style_once() -> None:
    shell = (PAGE / "index.html").read_text(encoding="utf-8")
    preloaded = re.findall(r'rel="modulepreload" href="/page/([^"]+)"', shell)
    assert preloaded == [path.name for path in MODULES if path.name != "main.js"]
    assert sorted(re.findall(r'rel="stylesheet" href="/page/([^"]+)"', shell)) == [path.name for path in STYLES]


def test_every_module_is_reached_from_the_first() -> None:
    reached, waiting = set[str](), ["main.js"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        waiting += re.findall(r'^(?:import|export)\b[^;]*?"\./([^"]+\.js)";', (PAGE / name).read_text("utf-8"), re.M)
    assert reached == {path.name for path in MODULES}


def test_no_file_of_the_page_is_longer_than_it_may_be() -> None:
    assert not [path.name for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > FILE_LINES]


def test_a_module_opens_with_what_lives_there() -> None:
    assert not [path.name for path in (*MODULES, *STYLES) if not path.read_text(encoding="utf-8").startswith("/*")]


@pytest.fixture(scope="module")
def node() -> dict[str, str]:
    """An environment in which a Node is found that is new enough, or the reason why there is none."""
    place = os.pathsep.join((str(NODE / "bin"), os.environ.get("PATH", "")))
    found = shutil.which("node", path=place)
    if found is None:
        pytest.skip(f"{NOT_RUN}what wants a Node, since there is none ('make node').")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"{NOT_RUN}what wants a Node, since {version} is older than {OLDEST_NODE} ('make node').")
    return {**os.environ, "PATH": place}


def test_the_pure_parts_do_what_their_own_tests_say(node: dict[str, str]) -> None:
    tests = [str(path) for path in sorted((ROOT / "tests" / "page").glob("*.test.mjs"))]
    done = subprocess.run(["node", "--test", *tests], env=node, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert tests


WHAT_IS_SHOWN = """
import { pieces } from "./src/commonplace/page/visible.js";
const shown = [];
for (let code = 0; code < 0x110000; code++)
  if (code < 0xd800 || code > 0xdfff)
    if (pieces(`a${String.fromCodePoint(code).repeat(TIMES)}b`).some((piece) => piece.unseen)) shown.push(code);
console.log(JSON.stringify(shown));
"""


@pytest.mark.parametrize("times", [1, 4])
def test_the_page_writes_out_the_same_characters_as_the_command_line(node: dict[str, str], times: int) -> None:
    script = WHAT_IS_SHOWN.replace("TIMES", str(times))
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=ROOT, env=node, capture_output=True, text=True, check=True)
    texts = {code: f"a{chr(code) * times}b" for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF}
    assert json.loads(done.stdout) == [code for code, text in texts.items() if visible(text) != text]


def test_the_types_of_the_page_hold(node: dict[str, str]) -> None:
    compiler = next((path for path in COMPILERS if path.exists()), None)
    if compiler is None:
        pytest.skip(f"{NOT_RUN}the types of the page, since there is no tsc ('make node' with npm and a network).")
    command = [str(compiler), "--project", str(ROOT / "tests" / "page" / "tsconfig.json")]
    done = subprocess.run(command, env=node, capture_output=True, text=True, timeout=COMPILER_SECONDS, check=False)
    assert done.returncode == 0, done.stdout
