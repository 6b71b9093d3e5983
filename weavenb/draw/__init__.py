"""Drawing: a graph's shape becomes DOT, an SVG or plain text."""
