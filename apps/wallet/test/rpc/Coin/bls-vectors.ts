/** Id, address, private key, CID of the message and signature, as in `libs/wallet/signing/vectors`. */
export const BLS_VECTORS = [
  [
    'WP-59',
    't3ugznngsqb2dalcx7c2tt62qn6nkfta3iwec4xorj6wu3tqs2zcxqjl5kb6awgqaeifoia56qevngqcz7l3eq',
    'vI20Oi8tOE9CXVtyWVbleVAXczQr4snkT0Ry3zv2TjY=',
    'bafy2bzacedkl3l4opeyyr4gurmm3uf745a2otxracwtmegsyn4toswhnh3z4c',
    'g7i83BbJj2qB2sxGDSbwuOR68W2D3tFqDbQJoAJLEzeC2b0OTe2UoKEObALUf3F6F208AEGcXpsl0giPV1zjktZjHY/PpVuIby/twlEvJnsne1VRyqzpdmd+f5IanNwO',
  ],
  [
    'WP-60',
    't3v4xr2rwx6ymjs72d7pb3pzgu7nwkrpbjbylb4h4gipynrfcqtaknuws77bzj7setkcdkgncgti3qfa4n7seq',
    'nCamU+P2/u12P+6eFjpIYyUv08o4v+6qg9qyeZtc8Qw=',
    'bafy2bzacecc6xmd2linyqqyfuyqvi6nxoidaeothwzs3u2ugqtdqg7pgujix4',
    'j7McovLF+iEfG+MnCb0mm7llAHie5xKDx9Y9kzoTnGeEFPVGuglqRBg1gOz6LzJuGc0fdhPgZTkgg1nwriK1GpS3ZrhTHs/wceFS2b3j89S9Z56JIkECxmfwGTuSWecm',
  ],
  [
    'WP-61',
    't3v73h74mtmqkeq6q2juu7keonweqh6q3qal3o2d5v3d625usaxth7xgckusqhvs2j3fzs3qqfw5urbf7zb3fq',
    'lAKZUZrVSeauZWTFBvMmcfd0FW+BXlZh33iWIunFzjw=',
    'bafy2bzacebnu3g2qagrqkolkhk73s5sapiqpbqiwqnrdxsdmona7zyzaf3umq',
    'jcS5rYe0NfPu0r1/DiAVPEjCqKNHt+so/rCeCVYHwqD6n1oysTTJPOjb6NgmGjx5GDf42meijPfOy8Scgx01f+RuRvXAKNE7HdbmesIqekZaIIkDpEBIlOBI0N10KWgK',
  ],
  [
    'WP-62',
    't3qbyddypqpo4e2spemofg7uhea7zbvrgc2zrsbsgbjrotjbl25dcsdwzmpf36jyiz6ln7zmons7jajexlepiq',
    'GmfTP9QLmcB5D08j9JG/x6G2kyWi7WXfMnXic0JHJhw=',
    'bafy2bzacedpr4hl5u4mweaaianr2tevrpuf2losasf44nplxd6dywb4nr7pxe',
    'ry/ObWQ0ZvelZNcRNxgyfVaiwECV34rgqp4WrozBI50R1mLhMhM0MRvzp27Wcl1NB/3p5UQKe3YsMdLBPbo071k3g1b4aARztVHn6SESSHhCbW5cKFvcdLc+UEpKReAE',
  ],
  [
    'WP-63',
    't3u7qdlkkutsvz3mg2duwd37uwgp4jrwvszuqxgbqvfs724kqbqvhiix3j2cdmwxt7opp6zuy44srjz4xt4bca',
    'RZiR0cdwkKe6jbH8MccJ9X1ZBFwB0WlgvddhiKHxWkU=',
    'bafy2bzacea543gcwzes5ps2i5rmdsosixel42wfcs7pjwdyocfdg3zkyfuc3w',
    'loDKuWLNBhI2PdXld8b/Y5ir/RQBtB0jBVQe5hXOsbQ/fEVQHcLW7ZS9smo+sCQJFQA/sryW8DIU6YkzriNkBUFKvRLedQz0gmvGTUTTZu7gG6YVSCeErjPCzO/c9SqI',
  ],
] as const;
