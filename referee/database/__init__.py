"""Where stores are kept: `address` says where, `base` what a store needs of it, `sqlite` and `postgres` are the two."""
