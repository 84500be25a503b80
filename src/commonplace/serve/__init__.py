"""The doors that stay open: MCP on stdio. Only here is anything asynchronous."""
