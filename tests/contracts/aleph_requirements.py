"""What Aleph's contract demands, and what was decided where it is silent.

`seed:LINE` is a line of its published document, `aleph.md:§N` the notes beside it, `README` the decisions.
"""

from tests.contracts.requirements import Requirement

REQUIREMENTS = (
    # -- the surface
    Requirement("aleph.tools", "seed:1-47", "There are six tools, of these names, with these arguments and defaults."),
    Requirement("aleph.unknown", "README:2", "An argument nobody knows is ignored."),
    Requirement("aleph.errors.shape", "README:3", "An error has a code, a sentence and whether to retry."),
    Requirement("aleph.schemas", "seed:10,31", "Schemas bound limit and priority in JSON Schema's own words."),
    Requirement("aleph.errors.params", "README:8", "A bad argument is named, and nothing changes."),
    Requirement("aleph.shared", "README:9", "What any dialect remembered is found here, and the reverse."),
    Requirement("aleph.ids", "README:5", "A memory has one id in every answer: cur_ if curated, else mem_."),
    # -- memory_search
    Requirement("aleph.search.ranked", "seed:11", "memory_search gives ranked facts with scores."),
    Requirement("aleph.search.fact", "aleph.md:§2", "A fact has id, content, category, path, score, times, agent_id."),
    Requirement("aleph.search.limit", "seed:10", "limit is the most that comes back, 5 by default; also max_results."),
    Requirement("aleph.search.agent", "seed:10", "agent_id looks in that agent's namespace and nowhere else."),
    Requirement("aleph.search.mode", "seed:10", "tools gives facts, context a fenced block, hybrid (default) both."),
    Requirement("aleph.search.fence", "aleph.md:§2", "What a memory says cannot close the block it stands in."),
    Requirement("aleph.search.uses", "README:15", "A search counts what it found as used."),
    Requirement("aleph.search.nothing", "seed:83", "A search that finds nothing answers MemoryNotFound."),
    Requirement("aleph.search.quota", "seed:85", "A context that has no room for one fact answers QuotaExceeded."),
    # -- memory_reflect
    Requirement("aleph.reflect.cites", "seed:18", "memory_reflect answers with sources; each sentence cites its own."),
    Requirement("aleph.reflect.depth", "seed:17", "depth is brief, standard (default) or comprehensive."),
    Requirement("aleph.reflect.monotone", "aleph.md:§2", "Deeper answers rest on more sources, never on others."),
    Requirement("aleph.reflect.grouped", "aleph.md:§2", "A comprehensive answer is grouped by category."),
    Requirement("aleph.reflect.agent", "seed:17", "agent_id reflects on that agent's namespace alone."),
    Requirement("aleph.reflect.nothing", "README:aleph", "With nothing to go on it answers MemoryNotFound."),
    Requirement("aleph.reflect.answers", "seed:14", "The answer is of what is relevant, joined into sentences."),
    Requirement("aleph.reflect.newest", "seed:14", "Of what contradicts each other the newest is first and named so."),
    Requirement("aleph.reflect.sources", "seed:18", "sources lists what is cited, the most relevant first."),
    Requirement("aleph.reflect.asking", "seed:15", "Words that only ask for an answer are not looked for."),
    # -- session_search
    Requirement("aleph.sessions.meaning", "seed:20", "Sessions are found by meaning where there is a model."),
    Requirement("aleph.sessions.model", "seed:25", "With a language model the summary is the model's, or it says why."),
    Requirement("aleph.sessions.found", "seed:25", "session_search gives the matching sessions with quotes."),
    Requirement("aleph.sessions.summary", "seed:24", "They have a summary unless summarise (or summarize) is false."),
    Requirement("aleph.sessions.limit", "seed:24", "limit bounds the sessions, 5 by default."),
    Requirement("aleph.sessions.nothing", "seed:83", "No matching session is MemoryNotFound."),
    # -- remember
    Requirement("aleph.remember.id", "seed:32", "remember confirms with the fact's id, cur_ and its ULID."),
    Requirement("aleph.remember.priority", "seed:31", "priority is 1 to 10, 5 by default; anything else is refused."),
    Requirement("aleph.remember.reprioritised", "seed:31", "A repeat with another priority changes it; without, not."),
    Requirement("aleph.remember.important", "seed:31", "What has a higher priority stands first in the snapshot."),
    Requirement("aleph.remember.category", "seed:31", "category is free text and comes back."),
    Requirement("aleph.remember.frozen", "seed:33", "A running session's snapshot changes by re-curation only."),
    Requirement("aleph.remember.quota", "seed:85", "Beyond the budget it answers QuotaExceeded, storing nothing."),
    Requirement("aleph.remember.repeat", "aleph.md:§2", "An exact duplicate answers with the known id."),
    Requirement("aleph.remember.secrets", "README:16", "A secret is refused and never echoed."),
    # -- forget
    Requirement("aleph.forget.preview", "seed:39", "Without confirm: candidates and a prompt, and nothing changes."),
    Requirement("aleph.forget.confirm", "seed:38", "With confirm what was shown is removed."),
    Requirement("aleph.forget.clear", "README:aleph", "Without a preview only a clear single best match is removed."),
    Requirement("aleph.forget.described", "seed:38", "What the words describe goes, and nothing that is only like it."),
    Requirement("aleph.forget.asks", "seed:39", "Where several fit almost equally it asks again with all of them."),
    Requirement("aleph.forget.changed", "README:aleph", "What changed since it was shown is shown again, not removed."),
    Requirement("aleph.forget.tombstone", "README:12", "A forgotten fact can be restored, and warns when it returns."),
    Requirement("aleph.forget.nothing", "seed:83", "Nothing that fits is MemoryNotFound."),
    # -- memory_status
    Requirement("aleph.status.keys", "seed:43-47", "memory_status has its five facts, and the curated snapshot."),
    Requirement("aleph.status.raw", "README:aleph", "Raw are pending corrections and undistilled turns."),
    Requirement("aleph.status.dream", "seed:46", "It says when the last dream ran, or null."),
    # -- errors with a real cause
    Requirement("aleph.errors.index", "seed:84", "A damaged word index answers IndexCorrupted until it is repaired."),
    Requirement("aleph.errors.lock", "seed:86", "A writer that is kept waiting answers LockTimeout, to be retried."),
    # -- RPC
    Requirement("aleph.rpc.http", "seed:49", "The methods are JSON-RPC 2.0 at /rpc, with errors that carry data.code."),
    Requirement("aleph.rpc.batch", "aleph.md:§4", "A batch is answered in its order; a notification not at all."),
    Requirement("aleph.rpc.cli", "seed:49", "The same methods are commands of `commonplace rpc`."),
    Requirement("aleph.rpc.cli.errors", "seed:80", "Whatever a command comes to is JSON, an error too."),
    Requirement("aleph.rpc.trace", "seed:56-57", "The trace has six stages in order, each with four fields."),
    Requirement("aleph.rpc.trace.fusion", "aleph.md:§5", "rrf_fusion shows places and the sum of 1 / (60 + place)."),
    Requirement("aleph.rpc.trace.same", "aleph.md:§3", "Traced and untraced give the same ids, scores and order."),
    Requirement("aleph.rpc.trace.why", "seed:53", "It shows at which stage a fact was lost that did not surface."),
    Requirement("aleph.rpc.trace.counts", "README:aleph", "A traced run changes no counter."),
    Requirement("aleph.rpc.corrections", "seed:58-61", "list_corrections shows corrections and their state."),
    Requirement("aleph.rpc.corrections.flow", "seed:59", "After a dream the right one is found, not the wrong."),
    Requirement("aleph.rpc.corrections.logged", "README:aleph", "memory.log_correction logs one."),
    Requirement(
        "aleph.rpc.corrections.doors", "README:aleph", "What another door puts right is listed as a correction."
    ),
    Requirement("aleph.rpc.insights.read", "seed:62", "Insights speak in texts, not ids, of all that counts."),
    Requirement("aleph.rpc.insights.counts", "seed:65", "A run counts its edits as the history does, with its notes."),
    Requirement("aleph.rpc.insights.model", "seed:62", "Fenced JSON of a model is read; a fall-back says so in notes."),
    Requirement("aleph.rpc.insights", "seed:62-65", "list_insights shows notes and runs of dreams."),
    Requirement("aleph.rpc.run_now", "seed:66-67", "run_now dreams and answers with the run that is then listed."),
    Requirement("aleph.rpc.empty", "README:aleph", "Where nothing is found, methods answer with empty lists."),
    Requirement("aleph.rpc.store", "README:aleph", "memory.store answers with the id; memory.search finds it."),
    Requirement("aleph.rpc.delete", "README:12", "memory.delete leaves a tombstone; an unknown id is MemoryNotFound."),
    Requirement("aleph.rpc.clear", "README:12", "memory.clear needs confirm, archives and never purges."),
    Requirement("aleph.rpc.stats", "aleph.md:§3", "memory.stats counts, of one scope or agent."),
    Requirement(
        "aleph.rpc.curate", "aleph.md:re-curation", "Over HTTP, too, a user has a snapshot that is taken anew."
    ),
    Requirement("aleph.rpc.compress", "README:aleph", "memory.compress distils what is raw."),
)
