"""What the native surface promises. It is our own contract: `tools` is what its descriptions and schemas say,
`surface` the rules for what hosts and models can bear."""

from tests.contracts.requirements import Requirement

REQUIREMENTS = (
    # -- the surface
    Requirement("native.surface.count", "surface", "There are seven tools, at most eight ever."),
    Requirement("native.surface.size", "surface", "What a model sees of all tools costs at most 1,500 tokens."),
    Requirement("native.surface.descriptions", "surface", "Every description is shorter than 2 KB."),
    Requirement("native.surface.instructions", "surface", "The instructions are there and shorter than 1 KB."),
    Requirement("native.surface.core", "surface", "Recall and remember ask to be loaded always."),
    Requirement("native.surface.annotations", "surface", "Every tool has all its annotations; none is open-world."),
    Requirement("native.surface.unknown", "surface", "An unknown argument or tool is answered with the closest one."),
    Requirement("native.surface.errors", "surface", "An error has a code, a sentence, whether to retry, an argument."),
    Requirement("native.surface.data", "surface", "Recalled text is labelled as data and delivered as it is."),
    # -- recall
    Requirement("native.recall.best_first", "tools", "Recall finds what is known about something, best first."),
    Requirement("native.recall.where", "tools", "It looks in the user's and the current project's memory by default."),
    Requirement("native.recall.scope", "tools", "With a scope it looks there and nowhere else."),
    Requirement("native.recall.filters", "tools", "kind, tags and since narrow it."),
    Requirement("native.recall.as_of", "tools", "as_of answers as the book stood then."),
    Requirement("native.recall.limit", "tools", "limit bounds how many memories come back."),
    Requirement("native.recall.budget", "tools", "max_tokens bounds the answer; what was left out is counted."),
    Requirement(
        "native.recall.others", "tools", "Beside memories it names at most three decisions, sessions, documents."
    ),
    Requirement("native.recall.only", "tools", "only asks for one of them, and for nothing else."),
    Requirement("native.recall.expired", "tools", "What has expired is not recalled."),
    Requirement("native.recall.mode", "tools", "The answer says how it looked, and warns where it could not."),
    # -- remember
    Requirement("native.remember.stores", "tools", "Remember stores one thing, and another server sees it at once."),
    Requirement("native.remember.repeat", "tools", "A repeat is said to be one and stored once."),
    Requirement("native.remember.near", "tools", "What is near something known is stored, and the near one reported."),
    Requirement(
        "native.remember.corrected", "tools", "What was forgotten on purpose before is reported, with the reason."
    ),
    Requirement(
        "native.remember.contradicts", "tools", "What contradicts something known is stored, and both are told."
    ),
    Requirement("native.remember.replaces", "tools", "replaces supersedes the memory it names."),
    Requirement("native.remember.topic", "tools", "The newest memory on a topic supersedes the last."),
    Requirement(
        "native.remember.inferred", "tools", "What was inferred is marked so, and does not displace what was said."
    ),
    Requirement("native.remember.key", "tools", "A key makes a retry safe; another request with it is refused."),
    Requirement("native.remember.secrets", "tools", "A secret is refused without being echoed, wherever it stands."),
    Requirement("native.remember.scope", "tools", "A memory goes to the user's scope unless a scope is named."),
    Requirement("native.remember.labels", "tools", "Kind, tags, topic, expiry and the client's name are kept."),
    # -- update and forget
    Requirement("native.update.fields", "tools", "Update changes the fields it is given and no others."),
    Requirement("native.update.status", "tools", "archived hides, invalidated ends, active restores."),
    Requirement("native.update.revision", "tools", "With a revision it fails if the memory was changed since."),
    Requirement("native.update.never", "tools", "expires_at never takes an expiry away."),
    Requirement("native.update.nothing", "tools", "An update of nothing, or of nobody, is refused."),
    Requirement("native.update.whole", "tools", "An update of fields and status happens as a whole or not at all."),
    Requirement("native.forget.hides", "tools", "Forget removes a memory from every recall."),
    Requirement("native.forget.undo", "tools", "memory_update with status active undoes it."),
    Requirement("native.forget.successor", "tools", "replaced_by names what stands in its place."),
    Requirement("native.forget.again", "tools", "To forget twice is no harm; to forget nobody is refused."),
    # -- list and explain
    Requirement("native.list.filters", "tools", "List filters by scope, kind, tags, status and date."),
    Requirement("native.list.pages", "tools", "Pages follow each other by cursor, without gaps or repeats."),
    Requirement("native.list.order", "tools", "The order is newest, oldest or last updated first."),
    Requirement("native.explain.story", "tools", "With an id: where a memory came from and what became of it."),
    Requirement("native.explain.query", "tools", "With a query: why a recall answers as it does."),
    Requirement("native.explain.both", "tools", "With both: why that memory was found or not."),
    Requirement("native.explain.nothing", "tools", "With neither it says what to give."),
    # -- session
    Requirement("native.session.save", "tools", "With a transcript: what was learnt, known and refused."),
    Requirement("native.session.again", "tools", "The same again adds nothing; with a key, what has grown is added."),
    Requirement("native.session.load", "tools", "With an id: one conversation with what was learnt from it."),
    Requirement("native.session.list", "tools", "With neither: recent ones by limit, since, surface and scope."),
    Requirement("native.session.budget", "tools", "max_tokens bounds the answer; what was left out is counted."),
    Requirement("native.session.secrets", "tools", "A secret is never kept, and nothing recalled is kept again."),
    Requirement("native.session.wrong", "tools", "What makes no sense together, or is not there, is refused."),
    # -- decisions
    Requirement("native.decide.records", "tools", "A decision is recorded with a number and everything it was given."),
    Requirement("native.decide.supersedes", "tools", "supersedes puts it in the place of an older one; both stay."),
    Requirement("native.decide.finds", "tools", "query finds decisions that have its words, and stand."),
    Requirement("native.decide.needs", "tools", "What is missing is named, and nothing is recorded."),
    # -- beside the tools
    Requirement("native.resources", "surface", "A memory and its history are read by address."),
    Requirement("native.prompts", "surface", "The prompts bring memory as data and say what to do."),
)
