"""Words that tell that something ended, who holds a role, and which states of life leave no room for others."""

from collections.abc import Mapping
from functools import cache

from commonplace.text.substance_words import Phrases, base, stem


def _rows(text: str) -> tuple[tuple[Phrases, ...], ...]:
    return tuple(tuple(Phrases(state) for state in row.split("/")) for row in text.split(";"))


ENDINGS = Phrases(
    """gave up|gave away|has given up|quit|left|has left|dropped|was dropped|were dropped|dropped out of|pulled out
    of|
    backed out of|stopped|was taken out|were taken out|was taken down|was removed|were removed|removed|was stolen|
    were stolen|was sold|were sold|sold|has sold|was scrapped|were scrapped|scrapped|was cancelled|were cancelled|
    was canceled|was called off|called off|cancelled|canceled|was discontinued|were discontinued|discontinued|
    was abolished|was dissolved|was closed down|was shut down|were shut down|was switched off|was decommissioned|
    was retired|is gone|are gone|no longer exists|no longer exist|does not exist any more|did away with|got rid of|
    has been removed|have been removed|has been dropped|has been cancelled|has been scrapped|has been sold|
    has been stopped|was stopped|was discontinued|was thrown out|threw out|was torn down|was demolished|broke off|
    resigned from|stepped down|was lost|lost|broke up|split up|was discharged from|was released from|is sold|are sold|
    has melted|was turned into|shaved off|cut off|tore down|gave back|were turned into|was converted into|was closed|
    were closed|was revoked|was withdrawn|
    withdrew from|expired|lapsed|ran out|is over|
    are over|was lifted|were lifted|was abandoned|abandoned|has ended|ended|was terminated|terminated|was deleted|
    were deleted|was replaced|were replaced|gave|handed|handed over"""
)
"""What is said of something that is so no more. What follows is what is over, or what took it."""

GONE = frozenset(
    """was stolen|were stolen|was sold|were sold|sold|has sold|have sold|has been sold|was scrapped|were scrapped|
    scrapped|was cancelled|were cancelled|was canceled|was called off|called off|cancelled|canceled|has been cancelled|
    was discontinued|were discontinued|discontinued|was abolished|was dissolved|was decommissioned|got rid of|threw out|
    was thrown out|was torn down|tore down|was demolished|no longer exists|did away with|has been scrapped""".replace(
        "\n    ", ""
    ).split("|")
)
"""Those after which nothing is left that could be anywhere or do anything."""

CLAUSE_ENDS = frozenset(
    ", ; : and but because so since when after in on at by from for to before last this with".split()
)

HANDED = frozenset(("gave", "gave away", "handed", "handed over"))
NO_LONGER = Phrases("no longer|nicht mehr|ne plus|ya no")
NOBODY_IN_PARTICULAR = frozenset("it that this there here what who".split())
MOVES = frozenset(
    """moved move reassigned went switched switch migrated migrate rewrote rewritten rewrite ported changed relocated
transferred
    converted mudó muda umgezogen déménagé""".split()
)
INTO = frozenset("to in into onto a nach à zu".split())
WHEN = frozenset("last yesterday today tomorrow tonight recently again this".split())
OF = frozenset("of for in du de des da do del von".split())
BESIDE = OF | frozenset("after before with from at on under near behind beside to over between".split())
WEAK = frozenset(("now", "since", "these days", "nowadays", "lately", "again", "by now", "meanwhile"))
PLACED = frozenset(
    "stands lies sits lives hangs stays kept stored located held hosted based parked open wooden".split()
)
ALONE = frozenset("single alone only half".split())
CHANGING = frozenset(
    """moved moves changed changes raised lowered switched switches migrated replaced replaces increased reduced
    extended shortened upgraded renamed converted transferred""".split()
)
ITSELF = frozenset(
    "suite run practice rehearsal session contract agreement date time appointment price fee rate location".split()
)
"""What is named after a thing and is still that thing: the test suite, the choir practice, the rent contract."""
DETERMINERS = frozenset("its his her their our my the a an".split())
IN_PLACE_OF = Phrases("instead of|in place of")
RATHER = frozenset("over to than".split())
NOT_YET = Phrases(
    """want to|wants to|would like to|plans to|plan to|hopes to|hope to|going to|will|might|maybe|perhaps|if|
    learning|thinking of|considering|dreams of"""
)

_AGENTS = """landlord landlady management board finance doctor vet company council city coach boss teacher school
    owner
parliament government committee court department paediatrician pediatrician customer team club members"""

_ROLES = """treasurer chair chairs chairman chairwoman chairperson president secretary captain coach lead leads head
manager manages director owner maintainer contact dentist vet lawyer accountant landlord landlady tutor editor
    moderator
host organiser organizer supplier provider vendor mayor principal trainer guardian responsible charge belongs
master assignee successor deputy godmother godfather boss supervisor mentor conductor caretaker janitor
administrator representative spokesperson speaker referee bookkeeper auditor webmaster librarian"""
_HOLDING = """is elected appointed chosen named became becomes made taken took took-over role job post position
    person new
acting current done by with sits whoever now"""
_ASIDE = """morning evening afternoon night noon time exactly sharp clock already least most about per approximately
altogether total only instead size limit number amount length duration capacity minimum maximum age next
spring summer autumn winter year month week day reason long new idea
largest biggest highest longest smallest lowest shortest"""
_MEASURING = """take last cost be have get run begin start finish end open close use work need seat hold weigh
    measure fit
amount allow accept upload charge pay raise lower set keep stay live count comprise publish appear
release issue there leave arrive depart land"""

STATES = _rows(
    """single|not married/married|tied the knot|husband|wife|engaged|wedding anniversary/divorced/widowed;
    full time|full-time|fulltime/part time|part-time|half days|days a week|days per week/retired|in retirement|
    in rente|pensioner|à la retraite|jubilado|jubilada/unemployed|out of work|laid off|made redundant;
    free|for free|free of charge|without pay|no charge|no fee|unpaid|is included|are included/
    costs|cost|charges|euros|dollars|pay|pays|paid|fee|charged;
    daily|every day|each day|every morning|every evening|every night/weekly|once a week|twice a week|every week|
    three times a week|every monday|every tuesday|every wednesday|every thursday|every friday|every other day/
    monthly|once a month|every month/quarterly|every quarter/yearly|once a year|annually|every year/hourly|every hour|
    each hour;
    once a week/twice a week|three times a week|four times a week;
    on leave|on parental leave|on maternity leave|on sick leave|on holiday|on vacation|on sabbatical/back from|
    is back|returned from|back at work;
    pregnant|expecting/had her baby|had a baby|gave birth|baby was born|was born;
    nights|night shift|night shifts/days only|day shift|day shifts;
    remotely|from home|at home|home office/in the office|to the office|on site;
    with his parents|with her parents|with their parents|with my parents/own flat|own apartment|own place|moved out;
    on paper|paper forms/electronically|digitally|with docusign|in the app|as a pdf;
    by hand|manually|manual/automatically|automatic|automated;
    broken|not in order|not in service|not working|defective/works again|works fine|is working|fixed|repaired|mended;
    alone|by himself|by herself|on his own|on her own/care home|nursing home|retirement home|flatmate|together with;
    planned|on hold|in planning|not started|waiting/finished|completed|launched|went live|is live|resumed|is done;
    pending|under review|waiting for approval/approved|accepted|granted/rejected|turned down|declined|denied;
    junior/senior|principal;
    vegetarian|vegan|meatless/meat|steak|chicken|bacon|sausages;
    vegan/eggs|cheese|milk|butter|yoghurt|fish;
    teetotal|sober|no alcohol/beer|wine|whisky;
    smoker|smokes/non-smoker|quit smoking|stopped smoking;
    for sale/sold;
    rents|rented|tenant/bought|owner of;
    in person|on site|face to face|in room/online|remote|remotely|by video|virtually|over zoom;
    works at|works for|employed by|employed at|arbeitet bei|travaille chez|trabaja en/retired|in retirement|in rente|
    pensioner|à la retraite|jubilado|jubilada/unemployed|out of work|laid off|was fired|made redundant;
    black|no sugar|unsweetened/milk|sugar|cream|latte|sweet;
    never expire|never expires|unlimited|no expiry/valid for|expires after|expire after|expires|expire;
    by car|drives/by bike|bikes|cycles/by bus|takes the bus/by train|
    takes the train|takes the tram|by tram|works from home"""
)
"""States of one thing at a time: rows of states, each in the words by which it is told."""

RIVALS = _rows(
    """in english|auf englisch|en anglais/in german|auf deutsch|en allemand/in french|auf französisch|en français/in
    dutch/
    in spanish|auf spanisch|en español/in italian/in portuguese/in polish/in czech/in danish/in swedish/in norwegian/
    in finnish/in turkish/in russian/in japanese/in chinese/in korean/in arabic;
    npm/yarn/pnpm/bun;pip/poetry/uv/pipenv/conda;webpack/vite/rollup/esbuild/parcel;jest/vitest/mocha;
    postgres|postgresql/mysql/mariadb/mongodb|mongo/sqlite/oracle/cassandra/dynamodb;redis/memcached;
    kafka/rabbitmq/nats;elasticsearch/opensearch/meilisearch/solr;jenkins/github actions/gitlab ci/circleci/travis;
    slack/mattermost/discord/microsoft teams/zulip;jira/linear/trello/asana/youtrack;confluence/notion;
    rest/graphql/grpc;react/vue/svelte/angular;django/flask/fastapi;docker compose/kubernetes|k8s/nomad/docker swarm;
    aws/azure/gcp|google cloud/hetzner/digitalocean/heroku/ovh;github/gitlab/gitea/bitbucket;stripe/adyen/mollie/
    paypal;
    vim/emacs/helix/neovim/vs code|vscode|visual studio code;tabs/spaces/two spaces/four spaces;
    gradle/maven/bazel/sbt;flutter/react native/swift/kotlin/xamarin;mailchimp/brevo/sendgrid/mailgun;
    dropbox/google drive/onedrive/nextcloud;zoom/google meet/jitsi/webex;netlify/vercel/cloudflare pages;
    datadog/prometheus/new relic/zabbix/nagios;bash/zsh/fish;chrome/firefox/safari/edge;outlook/thunderbird/gmail;
    signal/whatsapp/telegram/threema;markdown/asciidoc/restructuredtext;lastpass/1password/bitwarden/keepass;
    ubuntu/debian/fedora/alpine/centos/arch;intellij/pycharm/eclipse;figma/sketch;dhl/ups/fedex/dpd/hermes;
    python/go|golang/rust/java/ruby/php/elixir/scala/c++/typescript/javascript;spotify/apple music/tidal;
    terraform/pulumi/cloudformation;nginx/caddy/apache/traefik;sentry/rollbar;json/xml/yaml/toml/csv;
    windows/linux/macos;iphone/android;utc/local time;
    white/black/red/blue/green/yellow/grey|gray/orange/pink/purple/brown/beige"""
)
"""Names of which one is used for one thing: rows of rivals."""

_WHOLES = "baby/child brother/sibling sister/sibling twin/sibling son/child daughter/child dog/pet cat/pet rabbit/pet"


@cache
def wholes() -> Mapping[str, str]:
    """The stem of what somebody has who has that: a sibling of a brother."""
    return {base(part): base(whole) for part, whole in (pair.split("/") for pair in _WHOLES.split())}


def row_of_states(row: int) -> tuple[Phrases, ...]:
    """The states of a row, by its number."""
    return (*STATES, *RIVALS)[row]


def are_rivals(row: int) -> bool:
    """Whether a row is one of rivals."""
    return row >= len(STATES)


@cache
def places_of_states() -> Mapping[str, list[tuple[int, int]]]:
    """Where each phrase for a state stands: its row and its place in that."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row, states in enumerate((*STATES, *RIVALS)):
        for place, phrases in enumerate(states):
            for phrase in phrases.all:
                found.setdefault(phrase, []).append((row, place))
    return found


@cache
def every_state() -> Phrases:
    """All phrases for a state."""
    return Phrases("|".join(places_of_states()))


@cache
def roles() -> frozenset[str]:
    """The stems of what one person or thing alone is."""
    return frozenset(map(base, _ROLES.split()))


@cache
def agents() -> frozenset[str]:
    """The stems of those who change things that are not about them."""
    return frozenset(map(base, _AGENTS.split()))


@cache
def holding() -> frozenset[str]:
    """The stems of words that say that somebody has a role."""
    return frozenset(map(base, _HOLDING.split()))


@cache
def aside() -> frozenset[str]:
    """The stems of words that tell nothing apart."""
    return frozenset(map(base, _ASIDE.split())) | frozenset(map(stem, _ASIDE.split()))


@cache
def measuring() -> frozenset[str]:
    """The stems of the verbs that go with an amount."""
    return frozenset(map(base, _MEASURING.split())) | frozenset(base(f"{word}s") for word in _MEASURING.split())
