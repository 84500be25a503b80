"""The MCP server as a process: how it dies, what it lets through, and what it survives."""
