"""A hundred pairs with the same words whose parts have changed places: neither of a pair ever repeats the other."""

PATTERNS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("The user prefers {0} over {1}.", (("tabs", "spaces"), ("tea", "coffee"), ("Vim", "Emacs"), ("trains", "planes"))),
    ("The user prefers {0} to {1}.", (("calls", "mails"), ("REST", "GraphQL"), ("cats", "dogs"))),
    ("We migrated the wiki from {0} to {1}.", (("Notion", "Confluence"), ("Jira", "Linear"), ("Gitea", "GitLab"))),
    ("The night train goes from {0} to {1}.", (("Berlin", "Vienna"), ("Oslo", "Malmö"), ("Rome", "Milan"))),
    ("{0} reports to {1}.", (("Theo", "Magda"), ("Ines", "Paul"), ("Rafael", "Ingrid"), ("Kim", "Lou"))),
    ("{0} manages {1}.", (("Ana", "Ben"), ("Marta", "Jonas"), ("Priya", "Tom"))),
    ("{0} is {1}'s manager.", (("Kim", "Lou"), ("Ana", "Ben"), ("Olaf", "Greta"))),
    ("{0} is the mentor of {1}.", (("Ravi", "Dina"), ("Hugo", "Mila"), ("Sam", "Noor"))),
    ("The {0} service calls the {1} service.", (("user", "billing"), ("search", "index"), ("mail", "queue"))),
    ("Run the {0} before the {1}.", (("tests", "build"), ("migration", "restart"), ("backup", "upgrade"))),
    ("Use {0} instead of {1}.", (("uv", "pip"), ("httpx", "requests"), ("ruff", "flake8"))),
    ("Use {0}, not {1}.", (("tabs", "spaces"), ("pnpm", "npm"), ("Postgres", "MySQL"))),
    ("{0} depends on {1}.", (("core", "utils"), ("Atlas", "Comet"), ("api", "schema"))),
    ("{0} lent {1} fifty euros.", (("Emre", "Lea"), ("Nils", "Fatou"), ("Vera", "Otto"))),
    ("{0} replaced {1} as release manager.", (("Abdul", "Kirsten"), ("Mario", "Chidi"), ("Lucie", "Marek"))),
    ("{0} is older than {1}.", (("Max", "Lara"), ("Timo", "Jan"), ("Rosa", "Clara"))),
    ("The {0} team beat the {1} team.", (("red", "blue"), ("north", "south"), ("day", "night"))),
    ("{0} inherits from {1}.", (("Cat", "Animal"), ("Square", "Shape"), ("Admin", "User"))),
    ("Copy the files from {0} into {1}.", (("staging", "archive"), ("src", "dist"), ("inbox", "outbox"))),
    ("{0} was hired by {1}.", (("Deniz", "Gabi"), ("Farid", "Leyla"), ("Anselm", "Mona"))),
    ("Convert {0} to {1} on export.", (("euros", "dollars"), ("miles", "kilometres"), ("UTC", "CET"))),
    ("{0} teaches {1} to swim.", (("Hana", "Peter"), ("Yuki", "Ali"), ("Bruno", "Carla"))),
    ("We sold {0} and bought {1}.", (("gold", "silver"), ("Acme", "Globex"), ("bonds", "shares"))),
    ("{0} owes {1} a favour.", (("Julia", "Dmitri"), ("Sofia", "Omar"), ("Karl", "Eva"))),
    ("{0} blocks {1}.", (("ticket 17", "ticket 21"), ("login", "checkout"), ("Falcon", "Heron"))),
    ("Translate the manual from {0} to {1}.", (("German", "French"), ("Dutch", "Polish"), ("Danish", "Czech"))),
    ("{0} takes precedence over {1}.", (("the flag", "the file"), ("local", "global"), ("deny", "allow"))),
    ("Send the report to {0} and a copy to {1}.", (("Amina", "Boris"), ("finance", "legal"), ("Chloe", "Diego"))),
    ("{0} beats {1} in our benchmark.", (("Rust", "Go"), ("SQLite", "DuckDB"), ("Zig", "Odin"))),
    ("The {0} is stored inside the {1}.", (("key", "box"), ("index", "table"), ("cache", "volume"))),
    ("{0} trusts {1} more than anybody.", (("Uma", "Victor"), ("Wanda", "Xavier"), ("Yusuf", "Zoe"))),
    ("{0} follows {1} on the agenda.", (("budget", "hiring"), ("lunch", "demo"), ("Ops", "Sales"))),
    ("{0} forked {1}.", (("Emil", "Freya"), ("alpha", "beta"))),
)


def pairs() -> list[tuple[str, str]]:
    """Each pattern with its two words in one order and in the other."""
    return [
        (pattern.format(first, second), pattern.format(second, first))
        for pattern, words in PATTERNS
        for first, second in words
    ]
