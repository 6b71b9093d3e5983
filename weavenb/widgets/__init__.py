"""The debugger's face: one anywidget."""
