"""Foreign tapes (apitrace) -> DDI calls, through core.runtime."""
