import GraphQLExecution

extension Galaxy {
  /// By id.
  static let originalCharacters: GraphQLValue.Object = [
    "1000": [
      "__typename": "Human", "id": "1000", "name": "Luke Skywalker", "friendIDs": ["1002", "1003", "2000", "2001"],
      "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"], "homePlanet": "Tatooine", "height": 1.72, "mass": 77,
      "starshipIDs": ["3001", "3003"],
    ],
    "1001": [
      "__typename": "Human", "id": "1001", "name": "Darth Vader", "friendIDs": ["1004"],
      "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"], "homePlanet": "Tatooine", "height": 2.02, "mass": 136,
      "starshipIDs": ["3002"],
    ],
    "1002": [
      "__typename": "Human", "id": "1002", "name": "Han Solo", "friendIDs": ["1000", "1003", "2001"],
      "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"], "height": 1.8, "mass": 80, "starshipIDs": ["3000", "3003"],
    ],
    "1003": [
      "__typename": "Human", "id": "1003", "name": "Leia Organa", "friendIDs": ["1000", "1002", "2000", "2001"],
      "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"], "homePlanet": "Alderaan", "height": 1.5, "mass": 49,
      "starshipIDs": [],
    ],
    "1004": [
      "__typename": "Human", "id": "1004", "name": "Wilhuff Tarkin", "friendIDs": ["1001"], "appearsIn": ["NEWHOPE"],
      "height": 1.8, "starshipIDs": [],
    ],
    "2000": [
      "__typename": "Droid", "id": "2000", "name": "C-3PO", "friendIDs": ["1000", "1002", "1003", "2001"],
      "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"], "primaryFunction": "Protocol",
    ],
    "2001": [
      "__typename": "Droid", "id": "2001", "name": "R2-D2", "friendIDs": ["1000", "1002", "1003"],
      "appearsIn": ["NEWHOPE", "EMPIRE", "JEDI"], "primaryFunction": "Astromech",
    ],
  ]

  /// By id. Lengths are in meters.
  static let originalStarships: GraphQLValue.Object = [
    "3000": [
      "__typename": "Starship", "id": "3000", "name": "Millennium Falcon", "length": 34.37,
      "coordinates": [[1, 2], [3.5, -4.25], [12, 0]],
    ],
    "3001": ["__typename": "Starship", "id": "3001", "name": "X-Wing", "length": 12.5, "coordinates": [[0.5, 0.5]]],
    "3002": ["__typename": "Starship", "id": "3002", "name": "TIE Advanced x1", "length": 9.2, "coordinates": []],
    "3003": ["__typename": "Starship", "id": "3003", "name": "Imperial shuttle", "length": 20],
  ]

  /// The newest first.
  static let originalReviews: [GraphQLValue] = [
    [
      "id": "review-2", "episode": "EMPIRE", "stars": 5, "commentary": "I knew it.",
      "favoriteColor": ["red": 10, "green": 120, "blue": 240], "createdAt": "1980-05-21T18:00:00Z",
    ],
    ["id": "review-1", "episode": "NEWHOPE", "stars": 4, "createdAt": "1977-05-25T20:30:00Z"],
  ]
}
