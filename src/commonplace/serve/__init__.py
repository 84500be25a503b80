"""The doors that stay open: MCP on stdio and over HTTP. Only here is anything asynchronous."""
