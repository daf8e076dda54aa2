"""A person at a table, in a browser: a client of the referee like any bot, and the page that it thinks on.

The way of one decision: `line` holds the stream to the referee, `sitting` makes of the last view what the page shows,
`room` brings it there, and `choices` judges what comes back before it is sent. Nothing here knows a rule: what is
legal stands in the view.
"""
