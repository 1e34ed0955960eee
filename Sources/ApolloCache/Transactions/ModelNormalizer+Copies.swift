import ApolloAPI

// Copies of one object of which only some select the fields of its key.

extension ModelNormalizer {
  /// The object with a key at a place, as one of its copies tells.
  struct KeyedCopy {
    let key: CacheKey
    let typename: String?
  }

  /// Where an object is that tells no key itself: where another copy at its place says, unless it is as it was, or the other
  /// copy has taken the place of an object that was read elsewhere.
  ///
  /// - Parameter own: Where it is if there is no such copy.
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
      let wasRead = baseline.locationsByKey[copy.key] != nil && baseline[own] != nil
      if wasRead, !matches(object, location, in: baseline) { return own }
    }
    return location
  }

  /// True if an object was taken for one without a key before a copy told its key.
  var hasMissedKeys: Bool { unkeyedPlaces.contains { keyedCopies[$0] != nil } }
}
