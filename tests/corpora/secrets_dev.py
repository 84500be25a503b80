"""Development half of the secret corpora: samples made at run time from published formats, and ordinary prose.

No token stands in this file: a format such as 'ghp_{A36}' is filled with random characters from a seeded generator.
The held-out half has the same interface and another author.
"""

from __future__ import annotations

import random
import re
import string
import uuid
from dataclasses import dataclass

from tests.corpora.secrets_dev_prose import ordinary_texts, texts_about_secrets


@dataclass(frozen=True)
class Sample:
    kind: str
    text: str


_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "a": string.ascii_letters,
    "W": string.ascii_letters + string.digits + "_-",
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "U": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
    "B": string.ascii_letters + string.digits + "+/",
}

PROVIDER_FORMATS: dict[str, tuple[str, ...]] = {
    "github": ("ghp_{A36}", "gho_{A36}", "ghu_{A36}", "ghs_{A36}", "ghr_{A36}", "github_pat_{A22}_{A59}"),
    "gitlab": ("glpat-{W20}", "glrt-{W20}", "gldt-{W20}", "glptt-{h40}", "GR1348941{W20}"),
    "aws": ("AKIA{U16}", "ASIA{U16}", "ABSK{B109}="),
    "openai": ("sk-proj-{W74}T3BlbkFJ{W74}", "sk-{A20}T3BlbkFJ{A20}", "sk-svcacct-{W60}"),
    "anthropic": ("sk-ant-api03-{W93}AA", "sk-ant-admin01-{W93}AA", "sk-ant-oat01-{W93}AA"),
    "google": ("AIza{W35}", "GOCSPX-{W28}", "ya29.{W120}", "1//0{W60}"),
    "slack": (
        "xoxb-{d12}-{d12}-{A24}",
        "xoxp-{d12}-{d12}-{d12}-{h32}",
        "xapp-1-A{U10}-{d13}-{h64}",
        "https://hooks.slack.com/services/T{U10}/B{U10}/{A24}",
    ),
    "stripe": ("sk_live_{A24}", "rk_live_{A99}", "sk_test_{A24}", "whsec_{A32}"),
    "azure": (
        "DefaultEndpointsProtocol=https;AccountName=store;AccountKey={B86}==",
        "{A3}8Q~{W34}",
        "{A76}AZDO{A4}",
        "https://a.blob.core.windows.net/c?sv=2024-01-01&sig={A43}%3D",
        "{A52}JQQJ99{A26}",
    ),
    "digitalocean": ("dop_v1_{h64}", "doo_v1_{h64}"),
    "heroku": ("HRKU-AA{W58}",),
    "cloudflare": ("cfut_{A40}{h8}", "cfat_{A40}{h8}", "v1.0-{h24}-{h146}"),
    "npm": ("npm_{A36}",),
    "pypi": ("pypi-AgEIcHlwaS5vcmc{W70}",),
    "rubygems": ("rubygems_{h48}",),
    "crates": ("cio{A32}",),
    "nuget": ("oy2{l43}",),
    "docker": ("dckr_pat_{W27}",),
    "huggingface": ("hf_{a34}",),
    "replicate": ("r8_{A37}",),
    "groq": ("gsk_{A52}",),
    "perplexity": ("pplx-{A48}",),
    "xai": ("xai-{A80}",),
    "nvidia": ("nvapi-{W64}",),
    "openrouter": ("sk-or-v1-{h64}",),
    "pinecone": ("pcsk_{A6}_{A63}",),
    "langsmith": ("lsv2_pt_{h32}_{h10}",),
    "tavily": ("tvly-dev-{A32}",),
    "firecrawl": ("fc-{h32}",),
    "elevenlabs": ("sk_{h48}",),
    "jina": ("jina_{A60}",),
    "apify": ("apify_api_{A36}",),
    "sendgrid": ("SG.{W22}.{W43}",),
    "mailgun": ("key-{h32}", "{h32}-{h8}-{h8}"),
    "mailchimp": ("{h32}-us12",),
    "brevo": ("xkeysib-{h64}-{A16}",),
    "resend": ("re_{A8}_{A24}",),
    "twilio": ("SK{h32}",),
    "telegram": ("{d10}:AA{W33}",),
    "discord": ("MT{A24}.{A6}.{W38}", "https://discord.com/api/webhooks/{d19}/{W68}"),
    "shopify": ("shpat_{h32}", "shpss_{h32}"),
    "square": ("sq0atp-{W22}", "sq0csp-{W43}", "EAAA{W60}"),
    "paypal": ("access_token$production${l16}${h32}",),
    "plaid": ("access-production-{u}",),
    "shippo": ("shippo_live_{h40}",),
    "easypost": ("EZAK{A54}",),
    "atlassian": ("ATATT3xFfGF0{W170}={H8}", "ATBB{A32}"),
    "linear": ("lin_api_{A40}",),
    "notion": ("ntn_{d11}{A35}", "secret_{A43}"),
    "airtable": ("pat{A14}.{h64}",),
    "figma": ("figd_{W40}",),
    "asana": ("1/{d16}:{h32}",),
    "postman": ("PMAK-{h24}-{h34}",),
    "hubspot": ("pat-na1-{u}", "pat-eu1-{u}"),
    "grafana": ("glsa_{A32}_{h8}", "glc_{B80}"),
    "newrelic": ("NRAK-{U27}", "{h36}NRAL"),
    "sentry": ("sntrys_{B120}", "sntryu_{h64}"),
    "dynatrace": ("dt0c01.{U24}.{U64}",),
    "databricks": ("dapi{h32}",),
    "posthog": ("phx_{A43}",),
    "planetscale": ("pscale_tkn_{W43}", "pscale_pw_{W43}"),
    "supabase": ("sbp_{h40}", "sb_secret_{W22}_{W8}"),
    "neon": ("napi_{l64}",),
    "vault": ("hvs.{W90}", "hvb.{W120}"),
    "terraform": ("{A14}.atlasv1.{W67}",),
    "doppler": ("dp.pt.{A43}", "dp.st.dev.{A43}"),
    "pulumi": ("pul-{h40}",),
    "tailscale": ("tskey-auth-{A12}CNTRL-{A32}", "tskey-api-{A12}CNTRL-{A32}"),
    "fly": ("fo1_{W43}",),
    "vercel": ("vcp_{A56}",),
    "netlify": ("nfp_{A36}",),
    "circleci": ("CCIPAT_{A22}_{h40}",),
    "buildkite": ("bkua_{h40}",),
    "sonar": ("sqp_{h40}", "squ_{h40}"),
    "onepassword": ("ops_eyJ{A300}", "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}"),
    "artifactory": ("AKCp{A69}",),
    "alibaba": ("LTAI{A20}",),
    "dropbox": ("sl.{W136}",),
    "facebook": ("EAA{A160}",),
    "twitter": ("AAAAAAAAAAAAAAAAAAAAA{A80}", "{d18}-{A40}"),
    "salesforce": ("00D{A12}!{A90}",),
    "age": ("AGE-SECRET-KEY-1{U58}",),
    "mapbox": ("sk.eyJ{A60}.{W22}",),
    "typeform": ("tfp_{W44}_{A14}",),
    "contentful": ("CFPAT-{W43}",),
    "unknown_vendor": ("acme_live_{A32}", "zonk_pat_{A40}", "initech-api-{h40}"),
    "jwt": ("eyJ{W33}.eyJ{W80}.{W43}",),
    "private_key": (
        "-----BEGIN RSA PRIVATE KEY-----\n{B64}\n{B64}",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{B64}",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{B64}",
        "-----BEGIN EC PRIVATE KEY-----\n{B64}",
    ),
    "credential_url": (
        "postgres://app:{A12}@db.internal:5432/main",
        "mongodb+srv://root:{A16}@c0.abcde.mongodb.net",
        "redis://:{A20}@cache:6379/0",
        "https://bob:{A14}@git.corp.net/r.git",
        "amqp://svc:{W18}@mq/v",
    ),
    "bearer": ("Authorization: Bearer {h64}", "Authorization: Basic {B40}=", "curl -H 'Authorization: Bearer {A40}' u"),
    "cookie": ("Cookie: theme=dark; sessionid={l32}", "Set-Cookie: JSESSIONID={U32}; Path=/", "session_id={A40}"),
    "assignment": (
        "DD_API_KEY={h32}",
        '"client_secret": "{W40}"',
        "export DATABASE_PASSWORD='{A14}9!'",
        "api_key: {A24}",
        "aws_secret_access_key = {B40}",
        "<password>{A12}7</password>",
        "--token {A30}",
        "x-api-key: {A40}",
        "JWT_SECRET={B44}",
        "Password={A10}3;Server=db",
    ),
    "card": ("card",),
}

_PROVIDER_FRAMES = (
    "{}",
    "{}",
    "use {} for the staging account",
    "here it is: {}",
    "The deploy broke until I pasted {} into the console.",
    "`{}`",
    "key={}",
    "remember this:\n{}\nthanks",
    "我的密钥 {}",
    "Wir nutzen {} im Build.",
    "({})",
    'value "{}", please keep',
)


def provider_samples(seed: int = 0, each: int = 12) -> list[Sample]:
    generator = random.Random(f"provider-{seed}")
    samples: list[Sample] = []
    for kind, formats in PROVIDER_FORMATS.items():
        for number in range(each):
            token = _card(generator) if kind == "card" else _fill(formats[number % len(formats)], generator)
            frame = generator.choice(_PROVIDER_FRAMES[:-1]) if '"' in token else generator.choice(_PROVIDER_FRAMES)
            samples.append(Sample(kind, frame.replace("{}", token)))
    return samples


def _fill(template: str, generator: random.Random) -> str:
    def body(found: re.Match[str]) -> str:
        if found[1] == "u":
            return str(uuid.UUID(int=generator.getrandbits(128), version=4))
        return "".join(generator.choices(_ALPHABETS[found[1]], k=int(found[2])))

    return re.sub(r"\{([a-zA-Z])(\d*)\}", body, template)


def _card(generator: random.Random) -> str:
    prefix, length, groups = generator.choice(
        [
            ("4", 16, (4, 4, 4, 4)),
            ("51", 16, (4, 4, 4, 4)),
            ("37", 15, (4, 6, 5)),
            ("6011", 16, (4, 4, 4, 4)),
            ("4", 16, (16,)),
        ]
    )
    digits = prefix + "".join(generator.choices(string.digits, k=length - len(prefix) - 1))
    total = sum(int(d) if place % 2 else sum(divmod(2 * int(d), 10)) for place, d in enumerate(reversed(digits)))
    digits += str(-total % 10)
    parts, at = [], 0
    for size in groups:
        parts.append(digits[at : at + size])
        at += size
    return "my card is " + generator.choice((" ", "-")).join(parts)


def _listed(words: str) -> list[str]:
    return words.split()


_WORDS = _listed(
    "Blue Horse Tiger Summer Maple River Copper Falcon Winter Rocket Lemon Cedar Panda Ocean Silver Violet"
)
_SIGNS = "!@#$%&*?"
_BIP39 = _listed(
    "abandon ability about above absent absorb abstract absurd abuse access accident account accuse achieve acid across"
    " act zebra zone wagon velvet useful tunnel salmon ranch piano orbit noble mango ladder jungle kitten island hazard"
    " galaxy fabric"
)

CONVERSATIONAL_FRAMES: dict[str, tuple[str, ...]] = {
    "password": (
        "the wifi password is {p}",
        "my password is {p}",
        "Password: {p}",
        "password for the router is {p}.",
        "I changed my password to {p}",
        "the admin password for db01.example.com is now {p}",
        "use {p} as the password",
        "{p} is my email password",
        "pw: {p}",
        "pass = {p}",
        "wifi: HomeNet, password: {p}",
        "The root password's {p}.",
        "please remember that the Netflix password is {p}, thanks",
        "login with bob / {p}",
        "Their password was {p}",
        "guest wifi password {s}",
        "credentials are admin/{p}",
        "the passcode is {p}",
        "**Password:** {p}",
        'the password is "{q}"',
        "set the password to `{p}`",
        "password -> {p}",
        "username: jane password: {p}",
        "my login is jane@mail.com / {p}",
    ),
    "password_other": (
        "Das WLAN-Passwort ist {p}",
        "Das Passwort für den Server lautet {p}",
        "Passwort: {p}",
        "Mein Kennwort ist {p}.",
        "Le mot de passe est {p}",
        "le mot de passe du wifi est : {p}",
        "mdp : {p}",
        "Utilise {p} comme mot de passe",
        "La contraseña es {p}",
        "la contraseña del correo es {p}.",
        "Contraseña: {p}",
        "mi clave es {p}",
        "A senha é {p}",
        "a senha do wifi é {p}",
        "Senha: {p}",
        "La password è {p}",
        "la password del router è {p}",
        "Het wachtwoord is {p}",
        "het wachtwoord van de router is {p}",
        "密码是{p}",
        "WiFi密码：{p}",
        "服务器的密码为 {p}",
        "パスワードは{p}です",
        "Wi-Fiのパスワード：{p}",
        "비밀번호는 {p}입니다",
        "와이파이 비밀번호: {p}",
        "Пароль: {p}",
    ),
    "token": (
        "the api key is {t}",
        "our staging token is {t}",
        "API key: {t}",
        "the secret key for the webhook is {t}.",
        "auth token = {t}",
        "my access token is now {t}",
        "use {t} as the api key",
        "client secret: {t}",
        "Datadog API key {t}",
        "Der API-Schlüssel ist {t}",
        "la clé API est {t}",
        "la clave de API es {t}",
        "a chave de API é {t}",
        "la chiave API è {t}",
        "de API-sleutel is {t}",
        "API密钥是{t}",
        "APIキーは{t}です",
        "API 키는 {t}입니다",
        "token: {t}",
        "the license key is {k}",
    ),
    "pin": (
        "my PIN is {n}",
        "the pin code is {n}",
        "PIN: {n}",
        "the alarm code is {n}.",
        "door code is {n}#",
        "bank pin = {n}",
        "Die PIN ist {n}",
        "le code PIN est {n}",
        "el PIN es {n}",
        "o PIN é {n}",
        "il PIN è {n}",
        "de pincode is {n}",
        "暗証番号は{n}です",
        "PIN码是{n}",
        "I changed my pin to {n}",
        "the gate code is {n} and the lights are on the left",
        "phone passcode is {n}",
        "safe combination: {c}",
        "the verification code is {n}{n}",
        "use {n} as the pin",
    ),
    "phrase": (
        "my seed phrase is {m12}",
        "recovery phrase: {m24}",
        "wallet mnemonic = {m12}",
        "the passphrase is {w5}",
        'the passphrase for the backup is "{w4}"',
        "Seed phrase:\n{m12}",
        "助记词：{m12}",
        "password: {y4}",
    ),
}


def conversational_samples(seed: int = 0, each: int = 20) -> list[Sample]:
    generator = random.Random(f"conversation-{seed}")
    samples: list[Sample] = []
    for kind, frames in CONVERSATIONAL_FRAMES.items():
        for number in range(max(each, len(frames))):
            frame = frames[number % len(frames)]
            samples.append(Sample(kind, re.sub(r"\{(\w)(\d*)\}", lambda slot: _spoken(slot, generator), frame)))
    return samples


def _spoken(slot: re.Match[str], generator: random.Random) -> str:
    words = [word.lower() for word in _WORDS]
    choose, number = generator.choice, generator.randint
    match slot[1]:
        case "p":
            return choose(
                (
                    f"{choose(_WORDS)}{choose(_WORDS)}{number(10, 99)}{choose(_SIGNS)}",
                    f"{choose(words)}{number(1, 9999)}",
                    f"{choose(_WORDS)}{number(1950, 2026)}{choose(_SIGNS)}",
                    f"{choose(words)}-{choose(words)}-{number(10, 99)}",
                    _fill("{A14}7", generator),
                    f"{choose(_WORDS)}@{choose(_WORDS)}{number(1, 9)}",
                    f"Tr0ub4dor&{number(1, 99)}",
                )
            )
        case "s":
            return f"{choose(_WORDS)}{choose(_WORDS)}{number(10, 99)}{choose(_SIGNS)}"
        case "q":
            return choose(("swordfish", "opensesame", "sunshine", f"{choose(_WORDS)}{choose(_WORDS)}"))
        case "t":
            return _fill(choose(("{h32}", "{A40}", "{u}", "{A24}", "{W43}x1", "{h64}")), generator)
        case "k":
            return _fill("{U5}-{U5}-{U5}-{U5}-{U4}7", generator)
        case "n":
            return _fill("{d4}", generator)
        case "c":
            return f"{number(10, 99)}-{number(10, 99)}-{number(10, 99)}"
        case "m":
            return " ".join(generator.choices(_BIP39, k=int(slot[2])))
        case "y":
            return "-".join(generator.sample(words, int(slot[2])))
        case _:
            return " ".join(generator.sample(words, int(slot[2])))


def prose(seed: int = 0) -> list[str]:
    """At least 5,000 ordinary texts, about one in seven of which talks about secrets without containing one."""
    generator = random.Random(f"prose-{seed}")
    texts = ordinary_texts(generator, 4600) + texts_about_secrets(generator, 800)
    generator.shuffle(texts)
    return texts
