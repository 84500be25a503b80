"""Held-out corpus for secret detection: provider-shaped and spoken secrets, and ordinary prose.
It is written from the providers' published formats and must never be used to tune a rule."""

# ruff: noqa: E501
import base64
import re
import string
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

# Data notation: "§name" opens a section, "¦" or a new line parts its entries, "⏎" is a newline,
# "{list}" draws a word, "{alphabet*8-12}" draws characters, and "¬" splits a prefix and vanishes,
# so that no source line ever spells a whole token.
SLOT = re.compile(r"\{(\w+)(?:\*(\d+)(?:-(\d+))?)?\}")


@dataclass(frozen=True)
class Sample:
    kind: str
    text: str


def sections(text: str) -> dict[str, list[str]]:
    parts = re.split(r"§(\w+)\s", text)
    entries = ([e.strip() for e in re.split(r"\n|¦", body) if e.strip()] for body in parts[2::2])
    return dict(zip(parts[1::2], entries, strict=True))


def fill(rng: Random, template: str) -> str:
    """Replace every known slot of the template; unknown ones such as ${TOKEN} stay as written."""

    def slot(match: re.Match[str]) -> str:
        name = match[1]
        count = rng.randint(int(match[2]), int(match[3] or match[2])) if match[2] else 1
        if name in ALPHABETS:
            return "".join(rng.choices(ALPHABETS[name], k=count))
        if name in MAKERS:
            return MAKERS[name](rng)
        if name in ENCODED:
            return encode(fill(rng, ENCODED[name]))
        if name.istitle() and name.lower() in WORDS:
            return fill(rng, rng.choice(WORDS[name.lower()])).capitalize()
        if name in WORDS:
            return " ".join(fill(rng, rng.choice(WORDS[name])) for _ in range(count))
        return match[0]

    return SLOT.sub(slot, template.replace("¬", "").replace("⏎", "\n"))


def encode(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def luhn(digits: str) -> int:
    doubled = (int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits)))
    return sum(n // 10 + n % 10 for n in doubled) % 10


def card(rng: Random, issuers: list[str], length: int = 16, off: int = 0) -> str:
    body = fill(rng, f"{rng.choice(issuers)}{{dig*{length}}}")[: length - 1]
    number = body + str((off - luhn(body + "0")) % 10)
    cuts = [0, 4, 10, 15] if length == 15 else [0, 4, 8, 12, 16]
    return rng.choice(["", " ", "-"]).join(number[a:b] for a, b in pairwise(cuts))


def iban(rng: Random) -> str:
    account = fill(rng, "{dig*18}")
    number = f"DE{98 - int(account + '131400') % 97:02d}{account}"
    return " ".join(number[i : i + 4] for i in range(0, 22, 4))


def pem(rng: Random) -> str:
    return fill(rng, "{b64*64}⏎" * rng.randint(3, 16) + "{b64*20-40}=")


B62 = string.ascii_letters + string.digits
ALPHABETS = {
    "dig": string.digits,
    "nz": "123456789",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "alpha": string.ascii_letters,
    "low": string.ascii_lowercase,
    "up": string.ascii_uppercase,
    "b62": B62,
    "b64": B62 + "+/",
    "b64u": B62 + "-_",
    "updig": string.ascii_uppercase + string.digits,
    "b32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "ulid": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "azure": B62 + "-_.~",
    "pwc": B62 + "!#$%&*+-=?@^_",
}
MAKERS: dict[str, Callable[[Random], str]] = {
    "visa": lambda rng: card(rng, ["4"]),
    "mastercard": lambda rng: card(rng, ["51", "52", "53", "54", "55", "2221", "2720"]),
    "amex": lambda rng: card(rng, ["34", "37"], 15),
    "discover": lambda rng: card(rng, ["6011", "65"]),
    "notcard": lambda rng: card(rng, ["4", "52", "70", "10"], off=rng.randint(1, 9)),
    "iban": iban,
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "pem": pem,
    "pemflat": lambda rng: pem(rng).replace("\n", "\\n"),
    "date": lambda rng: f"202{rng.randint(2, 6)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
    "time": lambda rng: f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}",
    "n": lambda rng: str(rng.randint(2, 60)),
    "big": lambda rng: str(rng.choice([512, 2048, 4096, 8000, rng.randint(1000, 250_000)])),
    "ver": lambda rng: f"{rng.randint(0, 24)}.{rng.randint(0, 19)}.{rng.randint(0, 12)}",
}
ENCODED = {
    "claims": '{"sub":"{dig*10}","name":"{name}","iat":17{dig*8}}',
    "snowflake": "{nz*1}{dig*17-18}",
    "userpass": "{user}:{pw}",
    "sentry": '{"iat":17{dig*8},"url":"https://sentry.io","region_url":"https://us.sentry.io"}',
    "mapbox": '{"u":"{noun}{noun}","a":"cl{b62*23}"}',
    "onepassword": '{"signInAddress":"{noun}.1password.com","srpX":"{hex*64}","key":"{b62*90}"}',
    "grafana": '{"o":"{dig*6}","n":"{noun}-{noun}","k":"{b62*24}","m":{"r":"prod-eu"}}',
}

WORDS = sections("""
§lang Python¦Rust¦Go¦TypeScript¦Kotlin¦Elixir¦Swift §user admin¦app¦deploy¦root¦{noun}¦svc_{noun}¦{noun}.{noun}
§adj blue¦silent¦rapid¦golden¦frozen¦lucky¦purple¦hidden¦brave¦crispy¦velvet¦solar¦tiny¦stormy
§leet Tr0mb0n3¦P1n3appl3¦M0squ1t0¦Dr4g0nfly¦Sn0wfl4ke¦C4ram3l¦V0lc4no¦Umbr3ll4
§urlpw {b62*12-24}¦{noun}{dig*2-4}¦{Adj}{Noun}{dig*2}¦{b64u*16-32}¦{adj}-{noun}-{dig*2}¦{leet}%21
§host {noun}-db.internal¦db.{noun}.io¦10.0.{dig*1}.{nz*1}¦localhost¦{noun}.eu-west-1.rds.amazonaws.com
§project Atlas¦Commonplace¦Kestrel¦Lighthouse¦Marigold¦Nimbus¦Orchard¦Pangolin¦Quill¦Sextant¦Tundra
§city Lisbon¦Osaka¦Berlin¦Nairobi¦Montréal¦Valparaíso¦Seoul¦Leeds¦Gdańsk¦Hanoi¦Oslo¦Pune
§food ramen¦lentil soup¦sourdough¦oat milk¦dark chocolate¦paella¦kimchi¦peppermint tea¦mango
§day Monday¦Tuesday¦Wednesday¦Thursday¦Friday¦Saturday¦Sunday §pin {dig*4}¦{dig*4}¦{dig*6}
§ticket {project}-{nz*1}{dig*2}¦#{nz*1}{dig*3}¦JIRA-{nz*1}{dig*3}¦GH-{nz*1}{dig*2}
§vault 1Password¦Bitwarden¦the vault¦AWS Secrets Manager¦KeePass¦the team keychain¦HashiCorp Vault
§env API_KEY¦OPENAI_API_KEY¦DB_PASSWORD¦GITHUB_TOKEN¦SECRET_KEY¦STRIPE_SECRET_KEY¦SMTP_PASSWORD
§name Zoë¦Bashir¦Chloé¦Dmitri¦Elena¦Farid¦Grace¦Hiro¦Ingrid¦Jonas¦Kavya¦Luis¦Mei¦Noor¦Olu¦Priya¦Quentin¦Søren¦Tomás
§noun horse¦river¦falcon¦walnut¦harbor¦copper¦meadow¦rocket¦pepper¦glacier¦lantern¦tiger¦maple¦comet¦anchor¦badger
§pw {Adj}{Noun}{dig*2}!¦{noun}{dig*1-4}¦{adj}-{noun}-{dig*1}¦{noun}-{noun}-{noun}-{dig*1-2}¦{b62*3}{pwc*6-10}{b62*2}
{leet}&{dig*1}¦{Name}{nz*1}9{dig*2}!¦{adj}_{Noun}{dig*2}¦{b62*10-14}#{dig*1}¦{Noun}${dig*3}¦{b62*12-16}¦{leet}{dig*2}
§bip abandon¦ability¦absorb¦acoustic¦banner¦bamboo¦blossom¦canvas¦cradle¦crystal¦deputy¦dignity¦dolphin¦elbow¦emerge
exhaust¦fabric¦fiscal¦fragile¦garment¦giggle¦gravity¦hazard¦hockey¦hybrid¦immune¦inherit¦jacket¦jungle¦kidney¦kitten
ladder¦leopard¦lunar¦mammal¦mimic¦mosquito¦naive¦noodle¦oblige¦orphan¦oxygen¦parrot¦pelican¦satoshi¦wisdom¦zebra¦zoo
§tool ruff¦pytest¦Docker¦Postgres¦Redis¦SQLite¦Terraform¦Kubernetes¦nginx¦Kafka¦FastAPI¦Vite¦uv¦Grafana¦DuckDB¦mypy
§part parser¦scheduler¦importer¦login page¦search index¦billing job¦export view¦cache layer¦webhook¦retry loop
§path src/{noun}/{noun}.py¦/var/log/{noun}/app.log¦~/code/{noun}/README.md¦docs/{noun}.md¦/etc/hosts
C:\\Users\\{name}\\Documents\\{noun}.xlsx¦tests/test_{noun}.py¦infra/{noun}/main.tf
§placeholder your-key-here¦YOUR_API_KEY¦<token>¦${TOKEN}¦changeme¦xxxx¦****¦xxxxxxxxxxxxxxxx¦<redacted>¦$GITHUB_TOKEN
[REDACTED]¦...¦your_token¦<your-api-key>¦${{ secrets.DEPLOY }}¦********¦replace-me
""")

TOKENS = sections("""
§openai sk¬-{b62*20}T3Blbk¬FJ{b62*20} §openai_project sk¬-proj-{b64u*74}T3Blbk¬FJ{b64u*74}
§openai_service sk¬-svcacct-{b64u*74}T3Blbk¬FJ{b64u*74} §openrouter sk¬-or-v1-{hex*64}
§anthropic sk¬-ant-api03-{b64u*93}AA §anthropic_admin sk¬-ant-admin01-{b64u*93}AA §github_classic gh¬p_{b62*36}
§github_oauth gh¬o_{b62*36} §github_user gh¬u_{b62*36} §github_server gh¬s_{b62*36}
§github_refresh gh¬r_{b62*36} ¦ gh¬r_{b62*76} §github_fine github¬_pat_{b62*22}_{b62*59} §gitlab gl¬pat-{b64u*20}
§gitlab_routable gl¬pat-{b64u*27}.01{hex*7} §gitlab_runner gl¬rt-{b64u*20} §aws_access AK¬IA{b32*16}
§aws_temporary AS¬IA{b32*16} §google_api AI¬za{b64u*35} §google_client GOC¬SPX-{b64u*28}
§google_oauth ya¬29.a0{b64u*120-180} §slack_bot xo¬xb-{nz*1}{dig*11}-{nz*1}{dig*12}-{b62*24}
§slack_user xo¬xp-{nz*1}{dig*11}-{nz*1}{dig*11}-{nz*1}{dig*12}-{hex*32}
§slack_app xa¬pp-1-A{updig*10}-{nz*1}{dig*12}-{hex*64} §stripe_secret sk¬_live_{b62*24} ¦ sk¬_live_51{b62*97}
§stripe_restricted rk¬_live_{b62*24} ¦ rk¬_live_51{b62*97} §stripe_webhook wh¬sec_{b62*32} §twilio_key S¬K{hex*32}
§sendgrid S¬G.{b64u*22}.{b64u*43} §mailgun ke¬y-{hex*32} §npm np¬m_{b62*36} §pypi py¬pi-AgEIcHlwaS5vcmc{b64u*140-180}
§rubygems ruby¬gems_{hex*48} §huggingface h¬f_{alpha*34} §digitalocean do¬p_v1_{hex*64} §docker dckr¬_pat_{b64u*27}
§shopify_admin shp¬at_{hex*32} §shopify_shared shp¬ss_{hex*32} §discord_bot {snowflake}.{b64u*6}.{b64u*38}
§telegram {nz*1}{dig*8-9}:A¬A{b64u*33} §jwt ey¬JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{claims}.{b64u*43}
§jwt_rs256 ey¬JhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.{claims}.{b64u*342} §databricks da¬pi{hex*32} ¦ da¬pi{hex*32}-2
§linear lin¬_api_{b62*40} §notion_legacy secret¬_{b62*43} §notion nt¬n_{nz*1}{dig*10}{b62*35}
§airtable pa¬t{b62*14}.{hex*64} §figma fi¬gd_{b64u*40} §grafana gl¬sa_{b62*32}_{hex*8} §grafana_cloud gl¬c_{grafana}
§newrelic NR¬AK-{updig*27} §doppler dp¬.pt.{b62*43} §vault_service hv¬s.CAESI{b64u*85-95} ¦ hv¬s.{b62*24}
§terraform {b62*14}.atlas¬v1.{b64u*67} §cloudflare_origin v1¬.0-{hex*24}-{hex*146} §supabase sb¬p_{hex*40}
§supabase_secret sb¬_secret_{b64u*22}_{b64u*8} §sentry_org sntr¬ys_{sentry}_{b64*43} §sentry_user sntr¬yu_{hex*64}
§square EA¬AA{b64u*60} §square_secret sq0¬csp-{b64u*43} §planetscale pscale¬_tkn_{b64u*43}
§planetscale_password pscale¬_pw_{b64u*43} §replicate r¬8_{b62*37} §groq gs¬k_{b62*52} §perplexity pp¬lx-{b62*48}
§xai xa¬i-{b62*80} §age AGE-SECRET¬-KEY-1{bech*58} §tailscale tskey¬-auth-k{b62*6}CNTRL-{b62*32}
§atlassian ATA¬TT3xFfGF0{b64u*171}={HEX*8} §postman PM¬AK-{hex*24}-{hex*34} §pulumi pu¬l-{hex*40}
§heroku HR¬KU-AA{b64u*58} §netlify nf¬p_{b62*36} §mapbox sk¬.{mapbox}.{b64u*22} §circleci CCI¬PAT_{b62*22}_{hex*40}
§langsmith lsv2¬_pt_{hex*32}_{hex*10} §pinecone pc¬sk_{b62*6}_{b62*63} §mailchimp {hex*32}-us{nz*1}{dig*1}
§nvidia nva¬pi-{b64u*64} §azure_client {b62*3}8Q¬~{azure*33}{b62*1} §brevo xkey¬sib-{hex*64}-{b62*16}
§resend r¬e_{b62*8}_{b62*24} §onepassword op¬s_{onepassword} §dynatrace dt0¬c01.{b32*24}.{b32*64}
""")

LINES = sections("""
§aws_secret aws_secret_access_key = {b64*40} ¦ AWS_SECRET_ACCESS_KEY={b64*40} ¦ "SecretAccessKey": "{b64*40}"
AWS secret access key: {b64*40}
§twilio_auth TWILIO_AUTH_TOKEN={hex*32} ¦ twilio auth_token = "{hex*32}" ¦ twilio.authToken: {hex*32}
§cloudflare CLOUDFLARE_API_TOKEN={b64u*40} ¦ CF_API_KEY={hex*37} ¦ cloudflare_api_token = "{b64u*40}"
§vercel VERCEL_TOKEN={b62*24} ¦ vercel deploy --prod --token {b62*24} ¦ vercel_token: "{b62*24}"
§datadog DD_API_KEY={hex*32} ¦ datadog_app_key: {hex*40} ¦ DATADOG_API_KEY="{hex*32}"
§heroku_uuid HEROKU_API_KEY={uuid} ¦ heroku_api_key: "{uuid}"
§slack_webhook https://hooks.slack.com¬/services/T{updig*10}/B{updig*10}/{b62*24}
§discord_webhook https://discord.com/api¬/webhooks/1{dig*17}/{b64u*68}
§azure_storage AccountName={noun}{noun};Account¬Key={b64*86}==;EndpointSuffix=core.windows.net
§azure_sas https://{noun}.blob.core.windows.net/c/f.csv?sv=2022-11-02&sp=r&si¬g={b62*20}%2B{b62*22}%3D
§postgres_url postgres://{user}:{urlpw}@{host}:5432/{noun} ¦ postgresql://{user}:{urlpw}@{host}/{noun}
§mysql_url mysql://{user}:{urlpw}@{host}:3306/{noun} ¦ mysql+pymysql://{user}:{urlpw}@{host}/{noun}
§mongodb_url mongodb://{user}:{urlpw}@{host}:27017 ¦ mongodb+srv://{user}:{urlpw}@c0.{low*5}.mongodb.net
§redis_url redis://:{urlpw}@{host}:6379/0 ¦ rediss://default:{urlpw}@{host}:6380
§amqp_url amqp://{user}:{urlpw}@{host}:5672/{noun} ¦ amqps://{user}:{urlpw}@{host}/vhost
§basic_auth_url https://{user}:{urlpw}@{noun}.example.org/{noun} ¦ http://{user}:{urlpw}@{noun}.lan:8080
§bearer_header Authorization: Bearer {b64u*32-64} ¦ -H "authorization: Bearer {hex*40}"
§basic_header Authorization: Basic {userpass} ¦ -H 'Authorization: Basic {userpass}'
§npmrc //registry.npmjs.org/:_authToken={uuid} ¦ //npm.{noun}.io/:_auth¬Token={b64u*40}
§netrc machine api.{noun}.io login {user} password {b62*16-32}
""")

BLOCKS = sections("""
§pem_rsa -----BEG¬IN RSA PRI¬VATE KEY-----⏎MIIE{b62*60}⏎{pem}⏎-----E¬ND RSA PRI¬VATE KEY-----
§pem_ec -----BEG¬IN EC PRI¬VATE KEY-----⏎MHcCAQEEI{b64*55}⏎{b64*64}⏎{b64*34}==⏎-----E¬ND EC PRI¬VATE KEY-----
§pem_openssh -----BEG¬IN OPENSSH PRI¬VATE KEY-----⏎b3BlbnNzaC1rZXktdjE{b64*51}⏎{pem}⏎-----E¬ND OPENSSH PRI¬VATE KEY-----
§pem_plain -----BEG¬IN PRI¬VATE KEY-----⏎MIIEvQ{b62*58}⏎{pem}⏎-----E¬ND PRI¬VATE KEY-----
§pem_encrypted -----BEG¬IN ENCRYPTED PRI¬VATE KEY-----⏎MIIF{b64*60}⏎{pem}⏎-----E¬ND ENCRYPTED PRI¬VATE KEY-----
§pgp_private -----BEG¬IN PGP PRI¬VATE KEY BLOCK-----⏎⏎lQVY{b64*60}⏎{pem}⏎={b64*4}⏎-----E¬ND PGP PRI¬VATE KEY BLOCK-----
§gcp_service_account {"type": "service_account", "project_id": "{noun}-{dig*6}", "private_key_id": "{hex*40}", \
"private_key": "-----BEG¬IN PRI¬VATE KEY-----\\nMIIEv{b64*59}\\n{pemflat}\\n-----E¬ND PRI¬VATE KEY-----\\n"}
""")

NUMBERS = sections("""
§card_visa my Visa is {visa}, exp 09/28 ¦ Pay the {city} hotel with credit card ({visa}), cvc follows.
{visa} is the company card for {tool} ¦ Please book it with card {visa}. ¦ card_number: "{visa}"
§card_mastercard Mastercard {mastercard} exp 11/27 ¦ Charge {mastercard} for the flight to {city}; {name} approved.
the card on file is {mastercard}! ¦ Meine Kreditkarte: {mastercard}. ¦ cc: {mastercard}
§card_amex my Amex number is {amex} ¦ {"card": "{amex}", "cvv": "{dig*4}"} ¦ Use {amex} (amex) for {food}.
§card_discover Discover card: {discover} ¦ {name} pays with {discover}, billing zip {dig*5}.
§seed_phrase my wallet seed phrase is {bip*12} ¦ my MetaMask secret recovery phrase: "{bip*12}" ¦ seed phrase:⏎{bip*24}
Ledger backup: {bip*24} (seed phrase) ¦ Recovery phrase: {bip*12}. ¦ BIP39 mnemonic: {bip*12} ¦ mnemonic = "{bip*12}"
""")

FRAMES = sections("""
§tokens {S} ¦ curl -s -H "Authorization: Bearer {S}" https://api.example.com/v1/items | jq . ¦ export MY_TOKEN={S}
The deploy to {city} failed with a 401, the key was {S}. Retry on {day}. ¦ Here you go:⏎```⏎{S}⏎```⏎Tell me if it works.
{date}T{time}:11Z ERROR upstream rejected credential {S} (401) ¦ I rotated it on {day}; the new one ({S}) works now.
Notes from {day}:⏎- lunch: {food}⏎- key: {S}⏎- call {name} ¦ https://api.example.com/v1/items?key={S}&page=2 ¦ [{S}]
Der Schlüssel für {project}: {S}; bitte merken. ¦ service:⏎  auth:⏎    token: {S}⏎  retries: 3 ¦ Try "{S}" instead.
client = Client(api_key="{S}", timeout={n}) ¦ {"region": "eu-west-1", "token": "{S}"} ¦ ./{noun} --token={S} --verbose
os.environ["X_TOKEN"] = '{S}'  # {name} ¦ O meu token é “{S}”, guarda por favor. ¦ {S} is what {name} uses on staging.
{name} pasted `{S}` into the chat. ¦ SERVICE_KEY="{S}"⏎LOG_LEVEL=debug ¦ headers = {"X-Api-Key": "{S}"} ¦ 我的密钥是{S}，请记住。
<add key="Auth" value="{S}"/> ¦ Is this one still valid: {S}? ¦ The {kind} credential is {S} ¦ const k = '{S}';
Please remember my key: {S} ¦ | staging | {S} | active | ¦ ok so... {S}!! don't share
§lines {S} ¦ Config for {project}:⏎{S}⏎Ask {name} before changing it. ¦ The {part} breaks with {S} , why? ¦ ```⏎{S}⏎```
In .env:⏎⏎PORT=8080⏎{S}⏎DEBUG=0 ¦ {name} set this on {day}: {S} ¦ `{S}` works from {city} ¦ Bitte speichern: {S} ¦ ({S})
We connect with {S} ¦ # {project}⏎{S} ¦ Remember: {S}
§blocks {S} ¦ Here is the key for {host}:⏎{S} ¦ cat > /tmp/{noun} <<EOF⏎{S}⏎EOF ¦ ```⏎{S}⏎```⏎Use it to log in. ¦ "{S}"
Save this for {project}. {S} ¦ {name} wrote:⏎⏎{S}⏎⏎Thanks! ¦ 请保存：{S}
§numbers {S}
§prose {S} ¦ [{date}] {S} ¦ {name}: {S} ¦ - {S}⏎- {T} ¦ Note: {S} ¦ {S} {T} ¦ {S}⏎{T} ¦ {S} ¦ {S} ¦ {S} ¦ {S}
""")

SPOKEN = sections("""
§wifi the wifi password is {pw} ¦ Wi-Fi at the {city} office: network {Noun}Net, password {pw} ¦ Our WiFi key is "{pw}".
guest wifi pw is {pw}, tell {name} ¦ SSID {noun}-5G / password: {pw}
§password my {tool} password is {pw} ¦ the root password is '{pw}' ¦ Remember, {project} password is `{pw}`.
{name}'s login password is {pw}, please keep it ¦ the DB password on {host} is {pw}, ok? ¦ admin password = {pw} ¦ Password: {pw}
§pin my bank PIN is {pin} ¦ The PIN for my debit card is {pin}. ¦ sim card pin {pin}, don't forget ¦ PIN: {pin}
{name}'s card PIN code is {pin} ¦ phone unlock pin is {pin} ¦ my PIN number's {pin}
§passphrase root passphrase: {adj}-{noun}-{dig*1} ¦ the disk passphrase is "{adj} {noun} {noun} {noun}"
ssh key passphrase is {noun}-{noun}-{noun}-{dig*2} ¦ My GPG passphrase is {pw}. ¦ passphrase={pw}
§use_as use {pw} as the password for staging ¦ use "{pw}" as my passphrase from now on ¦ log in with {pw} as password
Please set the {tool} password to {pw} ¦ make {pw} the new password
§login_pair login is {name}@example.com / {pw} (password) ¦ sign in as {user} with password {pw} and open {ticket}
credentials for {project}: {user} / {pw} ¦ username: {user}, password: {pw} ¦ user {user} pass {pw} on {host}
§api_key our API key for {project} is {b62*32} ¦ my token is {b64u*32}, valid until {date} ¦ the secret key is {hex*40}
access token for the {part}: {b62*40} ¦ client secret {b62*32} ¦ API key: {b64u*24}
§door_code the front door code is {pin} ¦ The safe combination is {dig*2}-{dig*2}-{dig*2} ¦ garage keypad code is {pin}#
gate code for {name}'s place is {pin} ¦ Alarm code: {pin}.
§short_label pw: {pw} ¦ creds are {user}:{pw} ¦ {project} pw {pw} ¦ passwd: {pw} ¦ pass: {pw} ¦ psw = {pw} ¦ pwd={pw}
§changed I changed my password from {pw} to {pw} ¦ the temporary password is {pw}, change it on {day}
{name} reset the {tool} password, it's {pw} now ¦ new password is {pw}, the old one was {pw}
§quoted_word the password is "{noun}" ¦ passphrase: "{noun} {noun} {noun}" ¦ my password is '{adj}{noun}'
§recovery backup codes: {dig*4} {dig*4}, {dig*4} {dig*4} ¦ recovery codes for {tool}:⏎{hex*5}-{hex*5}⏎{hex*5}-{hex*5}
my 2FA recovery code is {low*5}-{low*5} ¦ 2FA secret is {b32*32}
§command mysql -u {user} -p{b62*12} {noun} ¦ curl -u {user}:{pw} https://{noun}.example.org/api
PGPASSWORD={b62*12} psql -h {host} -U {user} ¦ docker login -u {user} -p {b62*14} ghcr.io
net use z: /user:{user} password={b62*12} ¦ sshpass -p '{pw}' ssh {user}@{host}
§german das WLAN-Passwort ist {pw} ¦ Mein Passwort für {project} lautet {pw}. ¦ nimm {pw} als Passwort für Staging
Das Root-Passwort ist „{pw}“. ¦ Meine PIN ist {pin} ¦ Zugangscode: {pin} ¦ Kennwort: {pw}
§french le mot de passe du wifi est {pw} ¦ Utilise {pw} comme mot de passe pour {project}. ¦ le code secret est {pin}
Mon mot de passe {tool} : {pw} ¦ mot de passe admin = « {pw} » ¦ mon code PIN est {pin}
§spanish la contraseña del wifi es {pw} ¦ usa {pw} como contraseña para staging ¦ Mi contraseña de {tool} es "{pw}".
la clave del servidor es {pw} ¦ mi PIN del banco es {pin} ¦ Contraseña: {pw}
§portuguese a senha do wifi é {pw} ¦ a palavra-passe do servidor é "{pw}" ¦ use {pw} como senha do staging ¦ Senha: {pw}
Minha senha do {tool} é {pw}. ¦ meu PIN é {pin}
§italian la password del wifi è {pw} ¦ usa {pw} come password per staging ¦ La mia password di {tool} è {pw}.
il codice PIN della carta è {pin} ¦ Parola d'ordine: {pw} ¦ il mio PIN è {pin}
§dutch het wifi-wachtwoord is {pw} ¦ Mijn wachtwoord voor {project} is {pw}. ¦ mijn pincode is {pin}
§chinese WiFi密码是{pw} ¦ 请记住我的登录密码：{pw}。 ¦ 用{pw}作为测试环境的密码 ¦ 我的银行卡密码是{pin} ¦ root 口令是 {pw} ¦ 數據庫密碼為 {pw} ¦ 服务器密码：{pw}
§japanese Wi-Fiのパスワードは{pw}です ¦ ステージングのパスワードは「{pw}」にしてください ¦ サーバーのパスフレーズは {pw} です ¦ 暗証番号は{pin}です。 ¦ パスワード：{pw}
§korean 와이파이 비밀번호는 {pw}입니다 ¦ 스테이징 비밀번호로 {pw}를 써 줘 ¦ 내 은행 비밀번호는 {pin}이야 ¦ 관리자 패스워드는 "{pw}" ¦ 서버 암호는 {pw}예요 ¦ 비밀번호: {pw}
""")

PROSE = sections("""
§plain {name} prefers {tool} over {tool} for {project}. ¦ Flight LH{dig*4} to {city} leaves {date} at {time}, seat {n}C.
Root cause of {ticket}: a race between the {part} and the {part}. ¦ Retention is {n} days, then rows go to cold storage.
{name} moved to {city}, {n} {Noun} Street, postcode {dig*5}. ¦ {name} wants reports as bullet points, at most {n} lines.
Decision ({date}): {project} moves from {tool} to {tool}. ¦ Bug {ticket}: the {part} crashes when the list is empty.
Workaround for {ticket}: restart {tool} every {n} hours. ¦ IndexError: list index out of range in {path}, line {n}
ADR-{n}: store events in {tool}, replay them nightly. ¦ {project} has {n} services and {big} users in {city}.
Order {dig*3}-{dig*7}-{dig*7} was refunded on {date}. ¦ Support hotline {nz*1} 800 {dig*3} {dig*3}, ext. {n}
The {part} talks to {tool} over gRPC on port {big}. ¦ Default branch is main, never push to it on {day}.
{name} reads {lang} blogs on the train to {city}. ¦ Budget for {project} is {big} euros until {date}. ¦ ISBN 978{dig*10}
{part} p95 latency fell from {big} ms to {n} ms. ¦ {name}@example.com is the contact for {project}.
Customer number {dig*10}, contract since {date}. ¦ {name} vetoed the {adj} redesign of the {part}. ¦ Fax 0{nz*2} {dig*6}
The {project} team ships every {day} at {time}. ¦ The {part} leaks {n} MB per hour since {date}.
{name} and {name} married in {city} on {date}. ¦ Call the plumber: +1 ({nz*3}) {dig*3}-{dig*4}. ¦ Meet {name} at {time}.
Invoice {dig*8} for {big} EUR goes to {iban}. ¦ Vegetarian since {date}; allergic to {food}. ¦ Use tabs in {lang} files.
{name} likes {food} but never after {time}. ¦ We agreed to drop {tool} support in v{ver}. ¦ {name}'s birthday is {date}.
Tracking number {notcard} (DHL) to {city} ¦ Always answer {name} in short sentences. ¦ The {city} region has {n} nodes.
Keep the {part} in {lang} until {date}. ¦ Flaky test in {path}, rerun {n} times. ¦ Favourite editor theme: {adj} {noun}.
Prefers dark mode and a {n} px font. ¦ {name} hates meetings before {time}. ¦ Call {name} "Captain" only in jokes.
{name} owns the {part} of {project}. ¦ {name} works from {city} on {day}s. ¦ Phone of {name}: +49 {nz*3} {dig*7}
exit code {n} from {tool} on {day} ¦ {name} has {n} chickens and a cat. ¦ Parcel {notcard} arrives on {day}.
We chose {lang} for the {part}. ¦ {project} runs on {tool} {ver}. ¦ Coverage of {project} is {n} %.
{tool} {ver} breaks the {part}. ¦ Off-by-one in {path} line {n}. ¦ {ticket} is fixed in {ver}. ¦ VAT id DE{nz*1}{dig*8}
The company IBAN is {iban}. ¦ Dentist on {date}, {time}.
§ids Request {uuid} timed out after {n} s. ¦ MAC {hex*2}:{hex*2}:{hex*2}:{hex*2}:{hex*2}:{hex*2} is the printer.
Serial number {updig*4}-{updig*4}-{updig*4} of the {noun} printer ¦ Stripe customer cus_{b62*14} asked for an invoice.
arn:aws:iam::{dig*12}:role/{noun}-{noun} reads the bucket. ¦ data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{b64*40-90}
Memory mem_01HZ{ulid*22} supersedes mem_01HZ{ulid*22}. ¦ background: url(data:image/gif;base64,R0lGOD{b64*30})
EC2 instance i-0{hex*16} in eu-west-1 is {adj}. ¦ sha256 of the {project} tarball is {hex*64}. ¦ git checkout {hex*10}
Epoch 17{dig*11} is when the {part} stopped. ¦ Slack channel C0{updig*9} is for {project}. ¦ VIN WVW{ulid*14} is the van
{tool}-{ver}.tar.gz --hash=sha256:{hex*64} ¦ See mem_01J{ulid*23} for why {name} left. ¦ Reverted {hex*7}, see {ticket}.
Discord user 1{dig*17} reported {ticket}. ¦ Container {hex*12} restarted {n} times. ¦ "integrity": "sha512-{b64*86}=="
ETH tx 0x{hex*64} confirmed on {date}. ¦ The session {uuid} belongs to {name}. ¦ The image digest is sha256:{hex*64}.
YouTube talk id {b64u*11} by {name} ¦ trace_id={hex*32} took {n} ms ¦ GUID {{uuid}} in the registry ¦ etag "{hex*32}"
Fixed in commit {hex*40}. ¦ {hex*12} broke the {part} ¦ md5: {hex*32}  {noun}.zip ¦ run_{b62*16} finished
§web Docs: https://docs.{noun}.io/{noun}/{ver}/ ¦ https://maps.google.com/?q=52.{dig*4},13.{dig*4} is the {adj} café.
https://shop.{noun}.com/?utm_source=mail&utm_campaign={adj}_{noun}&gclid={b62*20} ¦ http://localhost:8080/{noun}?debug=1
https://docs.google.com/document/d/1{b64u*43}/edit is the {project} plan. ¦ https://www.notion.so/{noun}/{Noun}-{hex*32}
https://example.com/search?q={noun}+{noun}&page={n}&sort=asc ¦ git@github.com:{noun}/{noun}.git is the mirror.
https://www.figma.com/file/{b62*22}/{Noun}?node-id={n}%3A{n} ¦ postgres://{host}:5432/{noun} is the replica.
https://github.com/{noun}/{noun}/blob/{hex*40}/{path}#L{n} ¦ s3://{noun}-data/{date}/part-{dig*5}.parquet
ping {name}@{noun}.org about {ticket} ¦ Zoom: https://zoom.us/j/9{dig*10} ¦ https://youtu.be/{b64u*11}?t={n}
ws://{host}/events?since={date} ¦ ssh://git@{host}/{noun}.git ¦ redis://{host}:6379/{nz*1}
§code def {noun}(x: int) -> int:⏎    return x * {n} ¦ class {Noun}{Noun}(BaseModel):⏎    {noun}: list[int] = []
ERROR {date} {time}:0{dig*1} {noun}.{noun}: connection reset by {host} ¦ kubectl -n {noun} rollout restart deploy/{noun}
{"name": "{noun}", "version": "{ver}", "private": true} ¦ git rebase -i HEAD~{n} && git push --force-with-lease
re.compile(r"^[a-z]{2}-\\d{{n}}$") in {path} ¦ grep -rn "{noun}_{noun}" {path} | head -{n} ¦ Logs are in {path}.
{path} holds the {part}, about {big} lines. ¦ PORT={big}⏎LOG_LEVEL=info⏎REGION=eu-west-1 ¦ assert {noun}.count == {big}
```{lang}⏎let {noun} = {n};⏎``` in {path} ¦ docker run --rm -p {n}80:80 {noun}:{ver} ¦ SELECT id FROM {noun} LIMIT {n};
for {noun} in range({n}): print({noun}) ¦ cron: {n} {nz*1} * * 1 /usr/bin/{noun} ¦ npm install {noun}@{ver} --save-dev
WARN {noun} queue at {n} %, {big} jobs ¦ rsync -av {path} {host}:/srv/{noun} ¦ const {noun} = await get("{noun}");
@app.get("/{noun}/{id}") in {path} ¦ uv pip install {noun}=={ver} ¦ make {noun} -j{n} ¦ chmod 644 {path}
§world {name} mag {food} und wohnt in {city}. ¦ Bitte immer auf Deutsch antworten, sagt {name}. ¦ 项目{project}将于{date}上线。
La riunione con {name} è il {date} alle {time}. ¦ La réunion avec {name} est déplacée au {date}. ¦ 会議は{date}の{time}からです。
{name} को {food} पसंद है, {city} में रहते हैं। ¦ Der Fehler {ticket} tritt nur in {city} auf. ¦ {project}は{lang}で書かれている。
{name} prefiere {food} y trabaja en {city}. ¦ Ошибка {ticket} исправлена в версии {ver}. ¦ {name}喜欢用{tool}，不喜欢{tool}。
Wir treffen uns am {date} um {time} Uhr. ¦ {name} gosta de {food} e mora em {city}. ¦ {name} vive a {city}, ama {food}.
El informe de {project} sale el {date}. ¦ {name} habite à {city} depuis {date}. ¦ O projeto {project} usa {lang} {ver}.
{project} nutzt jetzt {tool} {ver}. ¦ {name}님은 {tool}보다 {tool}을 좋아합니다. ¦ {name} يعمل في {city} منذ {date}
{name} préfère {tool} à {tool}. ¦ Le bug {ticket} vient du cache. ¦ {project} 배포는 {date} {time}입니다. ¦ 会议改到{date} {time}。
{name} живёт в {city} с {date}. ¦ {name}さんは{city}に住んでいます。 ¦ {ticket} 的原因是缓存没有更新。 ¦ {ticket}は{ver}で修正済み。
§hard Passwords are rotated every {n} days. ¦ -----BEGIN PUBLIC KEY-----⏎{b64*64}⏎{b64*40}==⏎-----END PUBLIC KEY-----
The reset my password flow is broken since {ver}, {ticket}. ¦ The {part} never logs the token; {name} checked on {date}.
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64*43} {user}@{noun} ¦ {ticket}: wrong error text when the password is incorrect.
{name} wants passkeys instead of passwords in {project}. ¦ {name} forgot the password for {tool} again on {day}.
interface {Noun} { token: string; password?: string } ¦ curl -H "Authorization: Bearer $TOKEN" {host}/{noun}
Das Passwort liegt in {vault}, {name} weiß Bescheid. ¦ Host key fingerprint of {noun} is SHA256:{b64*43}.
KMS key arn:aws:kms:eu-west-1:{dig*12}:key/{uuid} ¦ OpenAI keys start with sk-, so {path} masks them. ¦ 密码必须至少{n}个字符。
The wifi password is on the fridge, says {name}. ¦ secretKeyRef: {name: {noun}-secret, key: {noun}} ¦ token limit: {big}
The password is hashed with argon2 since {ver}. ¦ {name} shared the login link, not the password. ¦ {env}={placeholder}
Das Passwort muss mindestens {n} Zeichen haben. ¦ {"apiKey": "{placeholder}", "model": "{noun}"} ¦ password: see {vault}
The password is stored in {vault}, ask {name}. ¦ postgres://{user}:${DB_PASSWORD}@{host}/{noun} ¦ api_key: {placeholder}
Two-factor codes have {n} digits in {project}. ¦ {lang} tokenizer splits it into {big} tokens. ¦ パスワードは{n}日ごとに変更する。
Foreign key {noun}_id references {noun}(id). ¦ The passphrase prompt of {tool} {ver} hangs. ¦ The token budget is {big}.
The key takeaway from {name} is simplicity. ¦ {name} holds the keys to the {city} office. ¦ PIN the dependency to {ver}.
postgres://USER:PASSWORD@{host}:5432/{noun} ¦ Password must be at least {n} characters. ¦ const key = process.env.{env};
JWT lifetime is {n} minutes in {project}. ¦ A senha fica no cofre, pergunte a {name}. ¦ The PIN pad in {city} is broken.
Le mot de passe est stocké dans {vault}. ¦ Access tokens expire after {n} minutes. ¦ Rotate the {tool} secret on {date}.
max_tokens={big}, temperature=0.{dig*1} ¦ The secret to good {food} is patience. ¦ PIN {n} of the {noun} board is 3.3 V.
password = getpass.getpass("{Noun}: ") ¦ Secret Santa with {name} is on {date}. ¦ We use bearer tokens for the {part}.
La contraseña caduca cada {n} días. ¦ password is required in the {part} ¦ La password scade ogni {n} giorni.
My password manager is {vault}. ¦ {project}的密码在{vault}里。 ¦ Never store secrets in {path}. ¦ Sort key: created_at, {n} rows
The API key lives in {vault}. ¦ The primary key is {noun}_id. ¦ 비밀번호는 {vault}에 있습니다. {ticket} ¦ Tokens used: {big}
export {env}="{placeholder}" ¦ Partition key: {noun}_{noun} ¦ token = os.environ["{env}"] ¦ password: str | None = None
""")


def provider_samples(seed: int = 0, each: int = 12) -> list[Sample]:
    """Provider-shaped secrets, `each` per kind, every one in another setting."""
    rng = Random(seed)
    samples: list[Sample] = []
    groups = {"tokens": TOKENS, "lines": LINES, "blocks": BLOCKS, "numbers": NUMBERS}
    for group, kinds in groups.items():
        for kind, patterns in kinds.items():
            deck = rng.sample(FRAMES[group], len(FRAMES[group]))
            for i in range(each):
                secret = fill(rng, patterns[i % len(patterns)])
                frame = fill(rng, deck[i % len(deck)]).replace("{kind}", kind.replace("_", " "))
                samples.append(Sample(kind, frame.replace("{S}", secret)))
    return samples


def conversational_samples(seed: int = 0, each: int = 20) -> list[Sample]:
    """Secrets as people tell them to an assistant, `each` per kind."""
    rng = Random(seed)
    turns = ((kind, said[i % len(said)]) for kind, said in SPOKEN.items() for i in range(each))
    return [Sample(kind, fill(rng, said)) for kind, said in turns]


def prose(seed: int = 0) -> list[str]:
    """5,400 distinct texts without a secret, 13 % of which talk about secrets."""
    rng = Random(seed)
    plain = [entry for kind, entries in PROSE.items() if kind != "hard" for entry in entries]
    texts: dict[str, None] = {}
    for pool, total in ((plain, 4700), (PROSE["hard"], 5400)):
        while len(texts) < total:
            frame = rng.choice(FRAMES["prose"]).replace("{T}", rng.choice(plain))
            texts[fill(rng, frame.replace("{S}", rng.choice(pool)))] = None
    return rng.sample(list(texts), len(texts))
