"""Teams, and how a person's memory becomes a team's."""
