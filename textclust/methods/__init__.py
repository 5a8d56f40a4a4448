"""The methods of the papers, one file each: from parameters and supervision to a `Solution`."""
