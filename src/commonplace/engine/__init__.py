"""Who asks, and the paths of a request: intake, recall, lifecycle, and what they share."""
