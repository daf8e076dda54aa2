"""The audit of a stored tournament: everything that follows from its seed, its identity and its records, done again.

It believes nothing but the rules: columns are held against records, records against the rules and the seed, boards
against the plan, the seed against its commitment. Prints nothing and changes nothing.

    checks       what a check is and what it finds
    terms        what was promised
    differences  what is not the same, in words
    game         one game under the glass
    schedule     what was played against the plan
    auditor      all checks of a store
"""
