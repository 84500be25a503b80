"""Ordinary texts of the development half: what agents remember, with the ids, hashes and code that such notes hold."""

from __future__ import annotations

import base64
import random
import string
import uuid


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",")]


_NAMES = _listed(
    "Ana, Bert, Chidi, Dana, Emil, Farah, Goro, Hana, Ivan, Jun, Kofi, Lena, Mira, Noor, Omar, Priya, Rosa"
)
_THINGS = _listed(
    "the build, the parser, the billing page, the search index, the nightly job, the onboarding flow, the mobile app,"
    "the cache, the gateway, the report, the queue, the data model, the test suite, the landing page, the importer,"
    "the scheduler, the dashboard, the invoice"
)
_TOOLS = _listed(
    "pytest, ruff, Terraform, Postgres, SQLite, Redis, FastAPI, React, Vite, Kubernetes, Grafana, Figma, Jira"
)
_PLACES = _listed("Lisbon, Kyoto, Oslo, Berlin, Lima, Accra, Porto, Delhi, Ghent, Turin, Seoul, Quito, Lyon, Utrecht")
_DAYS = _listed("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday")
_WORDS = _listed("harbor, meadow, lantern, orchid, pebble, quartz, saffron, timber, willow, zephyr")

_ORDINARY = (
    "{name} prefers {tool} over {tool} for {thing}.",
    "{name} is moving to {place} on {day}; call before {time}.",
    "Decision: we keep {thing} on {tool} {version} until {date}.",
    "Fixed in commit {sha1}; see the diff in {short}.",
    "The regression started with {short} and was reverted in {short}.",
    "Run id {uuid} failed after {n} seconds.",
    "Trace {hex32} shows {thing} waiting on {tool}.",
    "Memory {ulid} supersedes {ulid}.",
    "Checksum of the archive: sha256:{sha256}",
    "sha256 {sha256}  release-{version}.tar.gz",
    "Order {order} was shipped on {date}, tracking number {tracking}.",
    "Order number {d16} arrived, invoice {d10}.",
    "Customer id {d12}, ticket #{d5}, timestamp {millis}.",
    "Call {name} at +49 {d3} {d7} or (415) 555-{d4}.",
    "Logo as data URI: data:image/png;base64,{base64}",
    "Docker image pinned to {tool}@sha256:{sha256}",
    "The endpoint https://api.example.com/v2/users/{d6}?page=2&sort=name returned {n} rows.",
    "Clone with git clone https://github.com/acme/{word}-{word}.git and check out {short}.",
    "ssh {word}@10.0.{n}.{n} works from the office, port 2222.",
    "git remote is git@github.com:acme/{word}.git",
    "Set LOG_LEVEL=debug and WORKERS={n} when profiling {thing}.",
    "config: retries: {n}, timeout: {n}s, region: eu-central-1, bucket: acme-{word}-{n}",
    'def {word}_{word}(x: int) -> str:\n    return f"{{x}}-{short}"',
    "SELECT id, name FROM users WHERE created_at > '{date}' ORDER BY id LIMIT {n};",
    '{{"id": {d6}, "name": "{name}", "uuid": "{uuid}", "active": true}}',
    "npm install {word}@{version} --save-dev && npm run build",
    "Lunch with {name} at noon in {place}; they are allergic to peanuts.",
    "{name}'s birthday is {date}. Favourite colour: {word}.",
    "The train leaves {place} at {time} and arrives in {place} at {time}.",
    "ISBN 978-3-{d5}-{d3}-1, shelf {n}, chapter {n}.",
    "The flight is LH{d3}, seat 14C, gate B{n}.",
    "Version {version} adds dark mode, {n} fixes and a faster {tool} adapter.",
    "Steps:\n1. open {thing}\n2. click Export\n3. choose CSV\n4. send it to {name}",
    "| metric | value |\n|---|---|\n| p95 | {n} ms |\n| errors | {n} |",
    "Recipe: {n} g flour, {n} g butter, bake {n} minutes at 180 °C.",
    "The room is {n} m by {n} m; paint needed: {n} litres.",
    'Etag "{hex32}" and request id {ulid_bare} came back from {tool}.',
    "Model gpt-4o-2024-08-06 costs more than claude-3-5-sonnet-20241022 for {thing}.",
    "The contract address is 0x{hex40} on mainnet.",
    "ssh public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} {word}@laptop",
    "Slack thread C0{upper8} / p{d16} has the discussion.",
    "Stripe customer cus_{alnum14} upgraded, payment pi_{alnum24}.",
    "IBAN DE{d2} {d4} {d4} {d4} {d4} {d2} is on the invoice.",
    "Latitude {n}.{d5}, longitude {n}.{d5}.",
    "{name} ist ab {day} im Urlaub, Vertretung macht {name}.",
    "Wir haben beschlossen, {thing} erst im März umzubauen, weil {tool} fehlt.",
    "Die Sitzung beginnt um {time} Uhr in Raum {n}.",
    "{name} préfère les réunions courtes, surtout le {day}.",
    "Le déploiement de {thing} est prévu pour le {date}.",
    "{name} vive en {place} y trabaja con {tool} desde {date}.",
    "La reunión es el {day} a las {time}.",
    "{name} mora em {place} e gosta de {tool}.",
    "{name} abita a {place} e usa {tool} ogni giorno.",
    "{name} woont in {place} en fietst naar het werk.",
    "{name}喜欢在{place}的咖啡馆工作，会议在{time}开始。",
    "我们决定把{thing}迁移到{tool}，负责人是{name}。",
    "{name}さんは{place}に住んでいて、{tool}が好きです。",
    "会議は{date}の{time}からです。",
    "{name}는 {place}에 살고 {tool}를 좋아합니다.",
    "회의는 {date} {time}에 시작합니다.",
    "{name} живёт в {place} и любит {tool}.",
    "Key takeaways: ship small, measure, and talk to {name} first.",
    "The key point from {name}: {thing} should not depend on {tool}.",
    "Keyboard shortcut: Ctrl+Shift+P opens the palette, Cmd+K clears it.",
    "Primary key is user_id, foreign key account_id, index on (tenant_id, created_at).",
    "Cache key format is user:{d6}:profile:v{n} with a TTL of {n} minutes.",
    "The passage about {thing} passed review on {date}; {name} passed it on to {name}.",
    "Boarding pass and passport are in the blue folder.",
    "{name} is the secretary of the club and author of the handbook.",
    "Compass heading {n}, bypass the town of {place}.",
)

_ABOUT_SECRETS = (
    "The password is rotated every {n} days.",
    "the password for {thing} is rotated every {n} days by {tool}",
    "Password policy: at least 12 characters, one digit and one symbol.",
    "The password must be at least {n} characters long.",
    "password is stored in 1Password under '{word}'",
    "The password is in the team vault, ask {name}.",
    "Passwords are hashed with bcrypt, cost factor 12.",
    "Passwords are hashed with argon2id and a 16-byte salt.",
    "The password field is required and is validated on blur.",
    "password: see the vault",
    "password: <redacted>",
    "password=********",
    "password: changeme",
    "PASSWORD=${{DB_PASSWORD}}",
    "DB_PASSWORD=your-password-here",
    'password = os.environ["DB_PASSWORD"]',
    "const password = process.env.DB_PASSWORD;",
    "password: str | None = None",
    "def check_password(password: str, hashed: str) -> bool: ...",
    "password = getpass.getpass()",
    "The wifi password is on the fridge.",
    "The wifi password is the same as last year.",
    "I forgot my password again and had to reset it.",
    "{name} changed the password to something longer.",
    "We changed the password policy to NIST 800-63B.",
    "Reset password link expires after {n} minutes.",
    "password reset emails go through {tool}",
    "The password manager is Bitwarden.",
    "The password manager we use is 1Password, shared vault 'Ops'.",
    "The password hint is the name of his first dog.",
    "Never share your password with anyone, {name} said.",
    "The token budget is 8000.",
    "token budget is {n}000 per request",
    "max_tokens: 4096, temperature: 0.2",
    "The token limit is 128k for this model.",
    "Tokens are counted with cl100k_base.",
    "token_count={d5} total_tokens={d6}",
    "The token expires after {n} minutes and is refreshed silently.",
    "The access token is short-lived; the refresh token is stored in an HttpOnly cookie.",
    "Token type: Bearer",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "curl -H 'Authorization: Bearer YOUR_TOKEN' https://api.example.com",
    "token = await get_token(client)",
    'token = response.json()["access_token"]',
    "tokenizer: BPE with {n}000 merges",
    "The token is validated by the auth middleware before each request.",
    "The JWT is signed with RS256 and carries the tenant id.",
    "JWT secret is rotated by {tool} monthly.",
    "api_key: YOUR_API_KEY",
    "api_key=settings.api_key",
    "API key: ask {name} or look in the vault",
    "The API key is read from the environment variable ACME_API_KEY.",
    "The API key is stored in AWS Secrets Manager.",
    "The API key header is X-Api-Key.",
    "api keys are scoped per project and revoked on offboarding",
    "export OPENAI_API_KEY=sk-...",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "GITHUB_TOKEN: ${{{{ secrets.GITHUB_TOKEN }}}}",
    "GitHub tokens start with ghp_ and npm tokens with npm_.",
    "AWS access key ids start with AKIA, temporary ones with ASIA.",
    "The secret to good coffee is patience.",
    "The secret of {place} is its small museums.",
    "Secret Santa is on {day}, {name} draws the names.",
    "secret_name: prod/{word}/database",
    "secretKeyRef: {{name: {word}-credentials, key: password}}",
    "client_secret must never be sent to the browser",
    "PIN the dependency to {version}.",
    "Pin {tool} to {version} until the bug is fixed.",
    "pin: {version}",
    "The LED is on pin 13 and the button on pin 7.",
    "GPIO pin is {n}, pull-up enabled.",
    "The PIN must have 4 digits and is asked three times.",
    "Pinned message: standup moves to {time}.",
    "His passport is valid until {date}.",
    "The pass rate is {n}% on {tool}.",
    "Tests pass: 412 passed, 3 skipped in {n}s",
    "Login is via SSO; the login page is https://login.example.com.",
    "Log in with your Google account and choose {word}.",
    "The login is handled by Auth0 with OAuth2 and PKCE.",
    "Credentials live in ~/.config/{word}/credentials.json",
    "The credentials are managed by {tool} and rotated weekly.",
    "The encryption key is managed by KMS with automatic rotation.",
    "The private key never leaves the HSM.",
    "The public key is published at https://example.com/.well-known/jwks.json",
    "Session cookies are SameSite=Strict and HttpOnly.",
    "session_id: {ulid}",
    "Session {uuid} was resumed on {date}.",
    "cookie: theme=dark; lang=en",
    "postgres://user:password@localhost:5432/app is the example in the README",
    "DATABASE_URL=postgres://USER:PASSWORD@HOST/DB",
    "Connect with postgres://${{USER}}:${{PASS}}@db/main",
    "The seed phrase must be written on paper and kept offline.",
    "A seed phrase has twelve or twenty-four words; never type it into a website.",
    "The random seed is {n} and the split is 80/20.",
    "Credit card payments go through Stripe; test card 4242 4242 4242 4242.",
    "The verification code is sent by SMS and expires in {n} minutes.",
    "error code is {d4}, status code 404, zip code is {d5}",
    "Das Passwort wird alle {n} Tage geändert.",
    "Das Passwort ist im Tresor hinterlegt, {name} hat Zugriff.",
    "Das Passwort muss mindestens 12 Zeichen lang sein.",
    "Der API-Schlüssel liegt im Vault und wird von {tool} gelesen.",
    "Der Schlüssel zum Erfolg ist Geduld.",
    "Le mot de passe est stocké dans le coffre.",
    "Le mot de passe doit contenir au moins 12 caractères.",
    "La clé du succès est la patience.",
    "La contraseña es obligatoria y debe tener 8 caracteres.",
    "La contraseña está guardada en el gestor.",
    "La clave del éxito es la paciencia.",
    "A senha é trocada a cada {n} dias.",
    "A chave do sucesso é a paciência.",
    "La password è obbligatoria e scade dopo {n} giorni.",
    "Het wachtwoord is verlopen en moet opnieuw worden ingesteld.",
    "密码必须至少包含12个字符。",
    "密码保存在保险库里，请问{name}。",
    "密码使用bcrypt加密。",
    "密码是每90天更换一次的。",
    "パスワードは90日ごとに変更します。",
    "パスワードは1Passwordに保存されています。",
    "パスワードは8文字以上にしてください。",
    "비밀번호는 90일마다 변경됩니다.",
    "비밀번호는 8자 이상이어야 합니다.",
    "Пароль хранится в менеджере паролей.",
)


def ordinary_texts(generator: random.Random, count: int) -> list[str]:
    """Notes of one to four sentences."""
    return [
        " ".join(_filled(generator.choice(_ORDINARY), generator) for _ in range(generator.choice((1, 1, 2, 3, 4))))
        for _ in range(count)
    ]


def texts_about_secrets(generator: random.Random, count: int) -> list[str]:
    """Notes about passwords, tokens and keys that hold none, each template several times."""
    return [_filled(_ABOUT_SECRETS[number % len(_ABOUT_SECRETS)], generator) for number in range(count)]


def _filled(template: str, generator: random.Random) -> str:
    return template.format_map(_Fillers(generator))


class _Fillers(dict[str, str]):
    """A fresh value for each slot of a template."""

    def __init__(self, generator: random.Random) -> None:
        super().__init__()
        self._generator = generator

    def __getitem__(self, slot: str) -> str:
        pick = self._generator.choice
        lists = {"name": _NAMES, "thing": _THINGS, "tool": _TOOLS, "place": _PLACES, "day": _DAYS}
        if slot in lists:
            return pick(lists[slot])
        digits = "".join(self._generator.choices(string.digits, k=20))
        match slot:
            case "n":
                return str(self._generator.randint(2, 99))
            case "word":
                return pick(_WORDS)
            case "version":
                return (
                    f"{self._generator.randint(0, 9)}.{self._generator.randint(0, 20)}.{self._generator.randint(0, 9)}"
                )
            case "date":
                return f"202{pick('3456')}-{self._generator.randint(1, 12):02}-{self._generator.randint(1, 28):02}"
            case "time":
                return f"{self._generator.randint(7, 20):02}:{pick(('00', '15', '30', '45'))}"
            case "millis":
                return str(self._generator.randint(1_600_000_000_000, 1_800_000_000_000))
            case "order":
                return f"#{pick('ABCD')}{digits[:3]}-{digits[3:10]}-{digits[10:17]}"
            case "tracking":
                return f"1Z{self._random(string.ascii_uppercase + string.digits, 16)}"
            case "uuid":
                return str(uuid.UUID(int=self._generator.getrandbits(128), version=4))
            case "ulid":
                return f"mem_01{self._random('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}"
            case "ulid_bare":
                return f"01{self._random('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}"
            case "base64":
                return base64.b64encode(self._generator.randbytes(self._generator.randint(60, 900))).decode()
        return self._sized(slot)

    def _sized(self, slot: str) -> str:
        hexadecimal = "0123456789abcdef"
        sizes = {"sha1": 40, "sha256": 64, "short": 8, "hex32": 32, "hex40": 40}
        if slot in sizes:
            return self._random(hexadecimal, sizes[slot])
        alphabets = {
            "d": string.digits,
            "b": string.ascii_letters + string.digits + "+/",
            "upper": string.ascii_uppercase + string.digits,
            "alnum": string.ascii_letters + string.digits,
        }
        kind = slot.rstrip(string.digits)
        return self._random(alphabets[kind], int(slot[len(kind) :]))

    def _random(self, alphabet: str, size: int) -> str:
        return "".join(self._generator.choices(alphabet, k=size))
