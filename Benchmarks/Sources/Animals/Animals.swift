// A target needs a Swift file of its own; everything else in this one is generated from the .graphql files.
