"""Item models: answers as rows and columns for Qt's views."""
