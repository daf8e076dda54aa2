"""Results as pages for a browser: a report in one file, and the pieces that other pages share with it.

`assets` holds the style sheets and scripts, `templates` the frames in which they are put; both stand in the page
itself, which asks no host for anything. Needs the extra `cardtable-referee[pages]`.
"""
