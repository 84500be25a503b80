"""The plugin file that opencode loads: it has no hooks of another kind."""

import json

MADE_BY = "made by 'commonplace setup"
"""Stands in every file that is ours altogether."""

_SOURCE = """\
// MADE_BY opencode'; with --remove it is taken away again.
// Brings what is remembered into a session, and lets Commonplace learn from it. Whatever fails, the session goes on.
import { spawn } from "node:child_process"

const COMMAND = WORDS
const LIMIT_MS = 5_000
const LIMIT_CHARACTERS = 100_000

function hook(event) {
  return new Promise((resolve) => {
    let said = ""
    let child
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    } catch {
      return resolve("")
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS)
    const end = () => {
      clearTimeout(timer)
      try {
        resolve(String(JSON.parse(said).additionalContext ?? ""))
      } catch {
        resolve("")
      }
    }
    child.on("error", end)
    child.on("close", end)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => {
      if (said.length < LIMIT_CHARACTERS) said += part
    })
    child.stdin.end(JSON.stringify(event))
  })
}

export const Commonplace = async ({ directory }) => {
  const started = new Map() // session -> what its next prompt begins with, or nothing
  const inner = new Set() // sessions of subagents
  const told = (name, session, more) => hook({ hook_event_name: name, session_id: session, cwd: directory, ...more })
  let made = 0

  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (!session) return
      if (event.type === "session.created" && event.properties?.info?.parentID) inner.add(session)
      if (inner.has(session)) return
      if (event.type === "session.compacted") started.set(session, "compact")
      if (event.type === "session.idle") await told("Stop", session)
    },
    "chat.message": async (input, output) => {
      try {
        const session = input.sessionID
        if (inner.has(session)) return
        const own = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        const prompt = own.map((part) => part.text).join("\\n")
        const found = []
        const source = started.has(session) ? started.get(session) : "startup"
        started.set(session, "")
        if (source) found.push(await told("SessionStart", session, { source }))
        if (prompt) found.push(await told("UserPromptSubmit", session, { prompt }))
        for (const text of found.filter(Boolean)) {
          const id = `prt_${Date.now().toString(16)}${(made++).toString(16).padStart(4, "0")}commonplace`
          output.parts.push({
            id, sessionID: session, messageID: output.message.id, type: "text", text, synthetic: true,
          })
        }
      } catch {
        // without memories, then
      }
    },
  }
}
"""


def plugin_source(words: tuple[str, ...]) -> str:
    """The plugin's JavaScript, which starts these words without a shell."""
    return _SOURCE.replace("MADE_BY", MADE_BY).replace("WORDS", json.dumps(list(words)))
