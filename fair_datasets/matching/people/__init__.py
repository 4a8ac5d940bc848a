"""Telling where a word describes people, and which numbers are the ages of people."""
