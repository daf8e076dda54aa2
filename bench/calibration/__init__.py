"""What `make calibrate` measures: simulated tournaments of known strengths against what the tables say of them."""
