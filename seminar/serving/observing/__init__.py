"""What those who run the service see of it: metrics, traces, the access log."""
