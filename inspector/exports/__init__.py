"""Answers -> bytes: png, html, csv, json."""
