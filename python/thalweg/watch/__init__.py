"""How far a run is, from the small files that its writers keep (`status: FOLDER`)."""
