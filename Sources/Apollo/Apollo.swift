// Apollo
