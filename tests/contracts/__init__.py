"""The contracts, requirement by requirement, through a real MCP client over stdio."""
