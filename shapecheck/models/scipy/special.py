"""Special functions of SciPy, which are elementwise: their operands broadcast."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const
from shapecheck.models.lang import Answer, AnyValue, Axes, Blind, Flag, Size, Tensor, at, op, reduced, result
from shapecheck.models.lang.constraints import at_least
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

# Of one operand -------------------------------------------------------------------------------------------------------


@op(
    "scipy.special.{expit,logit,erf,erfc,erfinv,gamma,gammaln,loggamma,digamma,psi,j0,j1,i0,i1,ndtr,log_ndtr,sinc,cbrt}"
)
@op("scipy.special.{log1p,expm1,exp2,exp10,entr,round,cosm1,exprel,log_expit,softplus}")
@op("scipy.special.{erfcinv,erfcx,erfi,wofz,dawsn,ndtri,ndtri_exp,kolmogi,kolmogorov,rgamma,gammasgn,spence,zetac}")
@op("scipy.special.{i0e,i1e,k0,k0e,k1,k1e,y0,y1,bei,beip,ber,berp,kei,keip,ker,kerp,it2struve0,itmodstruve0,itstruve0}")
@op("scipy.special.{exp1,expi,ellipe,ellipk,ellipkm1,sindg,cosdg,tandg,cotdg,wrightomega}")
@op("scipy.special.factorial", dtype="?")
def special(x: Tensor) -> Answer:
    return "*S -> *S"


@op("scipy.special.factorial2", dtype="?", oracle="none: whole numbers")
@op("scipy.special.factorialk", dtype="?", oracle="none: whole numbers")
def factorials(n: Tensor) -> Answer:
    return "*S -> *S"


@op("scipy.special.{sici,shichi,fresnel,modfresnelm,modfresnelp,it2i0k0,it2j0y0,iti0k0,itj0y0}")
def special_with_second(x: Tensor) -> Answer:
    return "*S -> *S, *S"


@op("scipy.special.{airy,airye,itairy,kelvin}")
def special_with_four(x: Tensor) -> Answer:
    return "*S -> *S, *S, *S, *S"


@op("scipy.special.multigammaln", dtype="?", oracle="none: numbers that are large enough")
def multigammaln(a: Tensor, d: Tensor) -> Answer:
    return a.shape if d.rank == 0 else UNRANKED


# Of several operands --------------------------------------------------------------------------------------------------


@op("scipy.special.{xlogy,xlog1py,beta,betaln,binom,comb,kl_div,perm,rel_entr,poch,powm1,agm,owens_t,diric}")
@op("scipy.special.{jv,jn,jve,yv,yn,yve,iv,ive,kv,kn,kve,hankel1,hankel1e,hankel2,hankel2e,struve,modstruve}")
@op("scipy.special.{boxcox,boxcox1p,inv_boxcox,inv_boxcox1p,huber,pseudo_huber,hyp0f1,expn,elliprc,ellipeinc}")
@op("scipy.special.{gammainc,gammaincinv,gammaincc,gammainccinv,mathieu_a,mathieu_b,smirnov,smirnovi}")
@op("scipy.special.{chdtr,chdtrc,chdtri,chdtriv,pdtr,pdtrc,pdtri,pdtrik,stdtr,stdtridf,stdtrit,tklmbda}")
@op("scipy.special.eval_{chebyc,chebys,chebyt,chebyu,hermite,hermitenorm,laguerre,legendre}")
@op("scipy.special.eval_{sh_chebyt,sh_chebyu,sh_legendre}")
@op("scipy.special.{polygamma,stirling2}", dtype="?", oracle="none: whole numbers")
@op("scipy.special.ellipkinc", dtype="?", oracle="none: dtypes of mixed operands")
def special_pair(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("scipy.special.{spherical_jn,spherical_yn,spherical_in,spherical_kn}", dtype="?", oracle="none: whole numbers")
def spherical(n: Tensor, z: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("scipy.special.{jvp,yvp,ivp,kvp,h1vp,h2vp}", dtype="?", oracle="none: derivatives of whole numbers")
def derived(v: Tensor, z: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("scipy.special.zeta", dtype="?")
def zeta(x: Tensor, q: Tensor | None = None) -> Answer:
    return "*S -> *S" if q is None else "~B, ~B -> ~B"


@op("scipy.special.lambertw", dtype="complex128", oracle="none: branches are whole numbers")
def lambertw(z: Tensor, k: Tensor | None = None) -> Answer:
    return "*S -> *S" if k is None else "~B, ~B -> ~B"


@op("scipy.special.assoc_laguerre", dtype="?")
def assoc_laguerre(x: Tensor, n: Tensor, k: Tensor | None = None) -> Answer:
    return "~B, ~B -> ~B" if k is None else "~B, ~B, ~B -> ~B"


@op("scipy.special.{pbdv,pbvv,pbwa}")
def pair_with_second(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B, ~B"


@op("scipy.special.ellipj", dtype="?", oracle="none: dtypes of mixed operands")
def ellipj(u: Tensor, m: Tensor) -> Answer:
    return "~B, ~B -> ~B, ~B, ~B, ~B"


@op("scipy.special.{betainc,betaincc,betainccinv,betaincinv,bdtr,bdtrc,bdtri,bdtrik,bdtrin,btdtria,btdtrib}")
@op("scipy.special.{chndtr,chndtridf,chndtrinc,chndtrix,fdtr,fdtrc,fdtri,fdtridfd,gdtr,gdtrc,gdtria,gdtrib,gdtrix}")
@op("scipy.special.{nbdtrc,nbdtri,nbdtrik,nbdtrin,nctdtr,nctdtridf,nctdtrinc,nctdtrit,nrdtrimn,nrdtrisd}")
@op("scipy.special.{elliprd,elliprf,elliprg,eval_gegenbauer,eval_genlaguerre,hyp1f1,hyperu,lpmv}")
@op("scipy.special.{voigt_profile,log_wright_bessel}")
@op("scipy.special.{obl_cv,pro_cv}", oracle="none: slow for large numbers")
@op("scipy.special.btdtr", "scipy.special.btdtri", oracle="none: removed in SciPy 1.14")
@op("scipy.special.{radian,wright_bessel,besselpoly,nbdtr}", dtype="?", oracle="none: dtypes of mixed operands")
def special_of_three(a: Tensor, b: Tensor, x: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"


@op("scipy.special.{mathieu_cem,mathieu_sem}")
@op("scipy.special.{mathieu_modcem1,mathieu_modcem2,mathieu_modsem1,mathieu_modsem2}", oracle="none: slow")
def three_with_second(m: Tensor, q: Tensor, x: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B, ~B"


@op("scipy.special.{elliprj,eval_jacobi,eval_sh_jacobi,ncfdtr,ncfdtri,ncfdtridfd,ncfdtridfn,ncfdtrinc}")
@op("scipy.special.sph_harm", dtype="?", oracle="none: removed in SciPy 1.17")
@op("scipy.special.hyp2f1", dtype="?", oracle="none: dtypes of mixed operands")
def special_of_four(a: Tensor, b: Tensor, c: Tensor, z: Tensor) -> Answer:
    return "~B, ~B, ~B, ~B -> ~B"


@op("scipy.special.sph_harm_y", dtype="?", oracle="none: degrees are whole numbers")
def sph_harm_y(n: Tensor, m: Tensor, theta: Tensor, phi: Tensor, diff_n: AnyValue = NONE) -> Answer:
    """The derivatives are also returned, if they are requested."""
    if diff_n not in (NONE, Const(0)):
        raise Blind("derivatives")
    return "~B, ~B, ~B, ~B -> ~B"


# Along axes -----------------------------------------------------------------------------------------------------------


@op("scipy.special.logsumexp", dtype=",")
def logsumexp(a: Tensor, axis: Axes = None, keepdims: Flag = False, return_sign: Flag = False) -> Answer:
    """The signs are also returned, if they are requested."""
    if not a.rank:
        return result(UNRANKED, UNRANKED) if return_sign else UNRANKED
    left = "1" if keepdims else ""
    return at(axis, f"d -> {left}, {left}") if return_sign else reduced(axis, keepdims)


@op("scipy.special.{softmax,log_softmax}")
def softmax(x: Tensor, axis: Axes = None) -> Answer:
    if not x.rank:
        return UNRANKED
    return at(axis, "d -> d")


# Roots and zeros ------------------------------------------------------------------------------------------------------


@op("scipy.special.roots_{legendre,chebyt,chebyu,chebyc,chebys,laguerre,hermite,hermitenorm}", dtype="float64")
@op("scipy.special.roots_{sh_legendre,sh_chebyt,sh_chebyu}", dtype="float64")
@op("scipy.special.{p,t,u,c,s,l,h,he,ps,ts,us}_roots", dtype="float64", oracle="scipy.special.roots_legendre")
def roots(n: Size, mu: Flag = False) -> Answer:
    """Return the points of a quadrature, and the weight of each; the sum of the weights, too, if it is requested."""
    needs = [at_least(ClashKind.NEGATIVE_SIZE, n, 1, f"the roots of a polynomial of degree {n}")]
    return result(*(Shape((n,)),) * 2, *(SCALAR,) * mu, needs=needs)


@op("scipy.special.roots_{genlaguerre,gegenbauer}", dtype="float64", oracle="none: parameters of some values only")
@op("scipy.special.{la,cg}_roots", dtype="float64", oracle="none: the same")
def roots_of_family(n: Size, alpha: AnyValue, mu: Flag = False) -> Answer:
    return roots(n, mu)


@op("scipy.special.roots_{jacobi,sh_jacobi}", dtype="float64", oracle="none: parameters of some values only")
@op("scipy.special.{j,js}_roots", dtype="float64", oracle="none: the same")
def roots_of_two(n: Size, alpha: AnyValue, beta: AnyValue, mu: Flag = False) -> Answer:
    return roots(n, mu)


def _zeros(count: Size, results: int = 1) -> Answer:
    needs = [at_least(ClashKind.NEGATIVE_SIZE, count, 1, f"the first {count} zeros of a function")]
    return result(*(Shape((count,)),) * results, needs=needs)


@op("scipy.special.{bei,beip,ber,berp,kei,keip,ker,kerp}_zeros", dtype="float64")
@op("scipy.special.{erf,fresnelc,fresnels}_zeros", dtype="complex128")
def zeros(nt: Size) -> Answer:
    return _zeros(nt)


@op("scipy.special.{y0,y1,y1p,fresnel}_zeros", dtype="complex128")
def pairs_of_zeros(nt: Size) -> Answer:
    return _zeros(nt, 2)


@op("scipy.special.{ai,bi}_zeros", dtype="float64")
@op("scipy.special.jnjnp_zeros", dtype="float64,int32,int32,int32", oracle="none: an odd zero of none")
def fourfold_zeros(nt: Size) -> Answer:
    return _zeros(nt, 4)


@op("scipy.special.{jn,jnp,yn,ynp}_zeros", dtype="float64", oracle="none: orders are whole numbers")
def zeros_of_order(n: AnyValue, nt: Size) -> Answer:
    return _zeros(nt)


@op("scipy.special.{bernoulli,euler}", dtype="float64")
def numbers_up_to(n: Size) -> Answer:
    return Shape((n + 1,))
