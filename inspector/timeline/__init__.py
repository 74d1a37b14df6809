"""Who wrote what, when: events, last writers, surfaces at any event, replay."""
