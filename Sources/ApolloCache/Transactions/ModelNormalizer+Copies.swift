import ApolloAPI

// Several copies of one object, of which only some select the fields of its key.

extension ModelNormalizer {
  /// The key of an object in the model, as one of its copies tells it.
  struct KeyedCopy {
    let key: CacheKey
    let typename: String?
  }

  /// The location of an object that does not tell its key. It is the location that another copy at its place tells;
  /// unless the object is unchanged, or the other copy has replaced an object that was read elsewhere.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - own: The location if there is no such copy.
  ///   - place: Where the model has the object.
  /// - Returns: The location.
  mutating func location(ofUnkeyed object: ModelObject, orElse own: RecordLocation, at place: Place) -> RecordLocation {
    guard !isAsRead else { return own }
    guard let copy = keyedCopies[place.location] else {
      unkeyedPlaces.insert(place.location)
      return own
    }
    guard copy.typename == object.typename else { return own }
    let location = location(of: copy.key, at: place)
    if let baseline, location != own {
      if matches(object, own, in: baseline) { return own }
      let wasRead = baseline.location(ofKey: copy.key) != nil && baseline[own] != nil
      if wasRead, !matches(object, location, in: baseline) { return own }
    }
    return location
  }

  /// Whether an object was taken for one without a key before a copy told its key, or an element for another one before a
  /// copy told where it was.
  var hasMissedPlaces: Bool {
    unkeyedPlaces.contains { keyedCopies[$0] != nil }
      || guessedIndices.contains { list, indices, settled in
        knownIndices[list]?.contains { index, former in
          indices.indices.contains(index) && indices[index] != former && !settled.contains(index)
        } ?? false
      }
  }
}
