"""Pairs of memories that differ in substance although nearly all of their words are the same.

Each pair differs only by a number, a date or a negation. A memory engine must keep both
texts of such a pair as separate memories and must never treat one as a copy of the other.
"""

from __future__ import annotations

import itertools
import random
import re

KINDS = ("number", "date", "negation")

PEOPLE = (
    "Aisha Bruno Carla Dmitri Elena Farid Greta Hugo Ines Jonas Keiko Lars Mina Noah Olga Pavel "
    "Quentin Rosa Samir Tessa Uma Victor Wanda Xavier Yusuf Zoe Amara Boris Chloe Diego Emil Freya"
).split()
PROJECTS = (
    "Atlas Borealis Comet Dolphin Ember Falcon Granite Heron Indigo Juniper Kestrel Lagoon Mistral "
    "Nimbus Orchid Pelican Quartz Raven Sable Tundra Umbra Vertex Willow Xenon Yarrow Zephyr "
    "Beacon Cobalt Drift Fjord Harbor Lantern"
).split()

MONTHS = "January February March April May June July August September October November December"

# The values a <slot> can take; one pair uses two different values of the same slot.
VALUES: dict[str, list[str]] = {
    "num": [str(i) for i in range(2, 100)],
    "port": [str(p) for p in (*range(3000, 3040), *range(8000, 8100, 5), 5432, 6379, 9090, 9200)],
    "id": [str(i) for i in range(101, 999, 7)],
    "ver": [f"{a}.{b}.{c}" for a in range(1, 6) for b in range(10) for c in range(4)],
    "pct": [f"{i}%" for i in range(5, 100)],
    "amount": [f"${i},{j}00" for i in range(1, 30) for j in range(1, 10)],
    "time": [f"{h:02}:{m}" for h in range(6, 22) for m in ("10", "15", "30", "45")],
    "word": "two three four five six seven eight nine ten eleven twelve thirteen fifteen".split(),
    "word_de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(),
    "word_fr": "deux trois quatre cinq six sept huit neuf dix onze douze".split(),
    "word_es": "dos tres cuatro cinco seis siete ocho nueve diez once doce".split(),
    "word_pt": "três quatro cinco seis sete oito nove dez onze doze treze".split(),
    "word_zh": list("三四五六七八九十"),
    "word_ja": list("三四五六七八九十"),
    "iso": [f"{y}-{m:02}-{d:02}" for y in (2025, 2026) for m in range(1, 13) for d in (3, 12, 21)],
    "year": [str(y) for y in range(2009, 2034)],
    "ord": "1st 2nd 3rd 5th 8th 10th 12th 15th 18th 21st 23rd 25th 28th 30th".split(),
    "md": [f"{d} {m}" for m in MONTHS.split() for d in (2, 4, 9, 14, 24, 28)],
    "month": MONTHS.split(),
    "weekday": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "soon": ["today", "tomorrow", "next week", "next month", "the day after tomorrow"],
    "past": ["today", "yesterday", "last week", "last month", "last year"],
    "wd_de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "mon_de": "Januar Februar März April Mai Juni Juli August September Oktober November".split(),
    "soon_de": ["heute", "morgen", "übermorgen", "nächste Woche", "nächsten Monat"],
    "wd_fr": "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
    "mon_fr": "janvier février mars avril mai juin juillet août septembre octobre".split(),
    "soon_fr": ["aujourd'hui", "demain", "après-demain", "la semaine prochaine"],
    "wd_es": "lunes martes miércoles jueves viernes sábado domingo".split(),
    "mon_es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre".split(),
    "soon_es": ["hoy", "mañana", "pasado mañana", "la semana que viene"],
    "wd_pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado".split(),
    "mon_pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro".split(),
    "soon_pt": ["hoje", "amanhã", "depois de amanhã", "na semana que vem"],
    "wd_zh": [f"星期{d}" for d in "一二三四五六日"],
    "soon_zh": ["今天", "明天", "后天", "下周"],
    "md_ja": [f"{m}月{d}日" for m in range(1, 13) for d in (4, 10, 20, 27)],
    "wd_ja": [f"{d}曜日" for d in "月火水木金土日"],
    "soon_ja": ["今日", "明日", "明後日", "来週"],
    "md_ko": [f"{m}월 {d}일" for m in range(1, 13) for d in (4, 10, 20, 27)],
    "wd_ko": [f"{d}요일" for d in "월화수목금토일"],
    "soon_ko": ["오늘", "내일", "모레", "다음 주에"],
}

# {N} is a person, {P} a project, <slot> a value that changes, [x|y] the two sides of a negation.
TEMPLATES: dict[str, list[str]] = {
    "number": """The {P} gateway listens on port <port>.
The {P} cluster has <word> worker nodes in Frankfurt.
{N} manages a team of <word> engineers for {P}.
The {P} client is pinned to version <ver> in all repositories.
Test coverage of {P} has to stay above <pct>.
The yearly licence for {P} costs <amount>.
{N} usually starts work at <time> and leaves early.
Requests to the {P} API time out after <num> seconds.
{N} may spend up to <amount> on {P} without asking.
Retry the {P} import at most <word> times, then call {N}.
Ticket OPS-<id> describes the memory leak in {P}.
{P} keeps its logs for <num> days.
Der Dienst {P} läuft auf Port <port>.
{N} betreut <word_de> Kunden im Projekt {P}.
Das Hosting von {P} kostet <num> Euro im Monat.
Le service {P} écoute sur le port <port>.
{N} encadre <word_fr> stagiaires dans l'équipe {P}.
El servicio {P} usa el puerto <port>.
{N} atiende a <word_es> clientes del proyecto {P}.
O serviço {P} usa a porta <port>.
{N} cuida de <word_pt> contas no projeto {P}.
{P} 服务使用端口 <port>。
{N} 在 {P} 项目里有<word_zh>名同事。
{P} サーバーはポート <port> で待ち受けている。
{N}さんの {P} チームは<word_ja>人だ。
{P} 서비스는 <port>번 포트를 쓴다.
{N} 님의 {P} 팀은 <num>명이다.""".splitlines(),
    "date": """The contract for {P} ends on <iso>.
{N} is on vacation until the <ord>.
{N} celebrates a birthday on <md>.
{P} will be released to customers in <month>.
The planning meeting for {P} takes place on <weekday>.
{N} joined the {P} team in <year>.
The report on {P} is due <soon>, says {N}.
{N} signed the offer for {P} <past>.
The security audit of {P} happened on <iso>.
The certificate of {P} was renewed <past> by {N}.
Maintenance of the {P} servers begins on <md>.
Die Abnahme von {P} mit {N} ist am <wd_de>.
{N} hat im <mon_de> Urlaub.
Der Test von {P} beginnt <soon_de>.
La réunion de {N} sur {P} est prévue <wd_fr>.
{N} part en congé en <mon_fr>.
{N} rappelle le client du projet {P} <soon_fr>.
La entrega de {P} a {N} es el <wd_es>.
{N} se muda a Sevilla en <mon_es>.
{N} presenta el proyecto {P} <soon_es>.
A reunião de {N} sobre o {P} fica para <wd_pt>.
O projeto {P} começa em <mon_pt>.
{N} entrega o relatório do {P} <soon_pt>.
{P} 项目在<wd_zh>上线。
{N} <soon_zh>为 {P} 项目出差。
{P} 的合同到<year>年结束。
{P} のリリースは<md_ja>の予定だ。
{N}さんは<wd_ja>に {P} の会議がある。
{N}さんは<soon_ja> {P} の件で出張する。
{P} 프로젝트는 <md_ko>에 시작한다.
{N} 님은 <wd_ko>에 {P} 회의가 있다.
{N} 님은 <soon_ko> {P} 고객을 만난다.""".splitlines(),
    "negation": """The {P} repository is[| not] open to external contributors.
{N} has[| never] worked on the {P} code.
{N} is[| no longer] the owner of {P}.
The output of the {P} service [is|isn't] cached.
The {P} worker has to be started [with|without] the debug flag.
{N} [can|can't] approve purchases for {P}.
There is [a|no] staging copy of {P}.
{P} [should|shouldn't] be deployed on Fridays, says {N}.
{N} [was|wasn't] told about the outage of {P}.
The backups of {P} are[| not] encrypted.
{N} [wants|doesn't want] to be named in the {P} release notes.
[Somebody|Nobody] from the {P} team reads the alerts.
{N} will[| not] attend the kickoff of {P}.
The {P} tests [need|don't need] a network connection.
{N} ist[| nicht] für {P} zuständig.
Für {P} gibt es [eine|keine] Dokumentation von {N}.
Der Client von {P} startet [mit|ohne] VPN.
{N} arbeitet[| nicht mehr] am Projekt {P}.
{N} [travaille|ne travaille pas] sur le projet {P}.
Le module {P} fonctionne [avec|sans] connexion.
Le serveur {P} [est|n'est plus] sous garantie.
{N} [|no ]participa en el proyecto {P}.
El módulo {P} [|ya no ]recibe soporte de {N}.
El servicio {P} arranca [con|sin] contraseña.
{N} [|não ]participa do projeto {P}.
O aplicativo {P} [|nunca ]funciona sem internet.
{N} [|不]负责 {P} 项目。
{P} 服务[有|没有]备份。
{N}さんは {P} を担当して[いる|いない]。
{P} サーバーは {N}さんに通知を[送ります|送りません]。
{N} 님은 {P} 프로젝트에 참여[한다|하지 않는다].
{P} 서버에는 백업이 [있다|없다].
{N} 님은 {P} 코드를 [|안 ]고친다.""".splitlines(),
}


def _make(template: str, rng: random.Random) -> tuple[str, str]:
    """Fill one template twice so that only the marked part differs."""
    text = template.replace("{N}", rng.choice(PEOPLE)).replace("{P}", rng.choice(PROJECTS))
    slot = re.search(r"<(\w+)>", text)
    if slot:
        x, y = rng.sample(VALUES[slot[1]], 2)
        return text.replace(slot[0], x), text.replace(slot[0], y)
    sides = [re.sub(r"\[([^|\]]*)\|([^\]]*)\]", rf"\{i}", text) for i in (1, 2)]
    rng.shuffle(sides)
    return sides[0], sides[1]


def pairs(seed: int = 0, n: int = 1000) -> list[tuple[str, str, str]]:
    """Return n pairs (a, b, kind); the same seed gives the same pairs and no text comes twice."""
    rng = random.Random(seed)
    turns = {k: itertools.cycle(rng.sample(TEMPLATES[k], len(TEMPLATES[k]))) for k in KINDS}
    seen: set[str] = set()
    found: list[tuple[str, str, str]] = []
    for kind in itertools.islice(itertools.cycle(KINDS), n):
        for _ in range(2000):
            a, b = _make(next(turns[kind]), rng)
            if a not in seen and b not in seen:
                break
        else:
            raise ValueError(f"cannot make {n} distinct pairs")
        seen.update((a, b))
        found.append((a, b, kind))
    return found
