"""Fault injection, widget panels and figures: what a lesson shows, and lets the reader break."""
