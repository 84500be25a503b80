"""Hosts' configuration files: what belongs into them, and how it goes in and out without touching anything else."""
